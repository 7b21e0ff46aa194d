/** Reports the entries that the auction log has dropped: all of them in the metric, and in the log as sums. */
import type { AuctionLogParts } from './auction-log.ts';
import type { CappedLog } from './capped-log.ts';
import type { Recorder } from './recorder.ts';

type Reports = Pick<AuctionLogParts, 'onDropped' | 'onClosed'>;

/** Each line has the entries since the last one, so that the lines of a worker add up to all that it has dropped. */
export function reportDroppedEntries(recorder: Pick<Recorder, 'auctionLogDropped'>, capped: CappedLog): Reports {
  let entries = 0;
  let cause = '';
  const report = (reason: string) => {
    if (entries > 0 && capped.error(reason, { entries, cause }, 'auction log entries dropped')) entries = 0;
  };
  return {
    onDropped(count, reason) {
      recorder.auctionLogDropped(count);
      entries += count;
      cause = reason;
      report('auction log');
    },
    onClosed: () => report('auction log at exit'),
  };
}
