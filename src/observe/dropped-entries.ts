/** Reports the entries that the auction log has dropped: all of them in the metric, and in the log as sums. */
import type { AuctionLogParts } from './auction-log.ts';
import type { Logger } from './logger.ts';
import type { Recorder } from './recorder.ts';

type Reports = Pick<AuctionLogParts, 'onDropped' | 'onClosed'>;

/** Between two lines with the same cause. */
const everyMs = 10_000;

/** Each line has the entries since the last one, so that the lines of a worker add up to all that it has dropped. */
export function reportDroppedEntries(
  recorder: Pick<Recorder, 'auctionLogDropped'>,
  logger: Pick<Logger, 'error'>,
  schedule: AuctionLogParts['schedule'],
): Reports {
  const entriesByCause = new Map<string, number>();
  let isScheduled = false;

  const report = () => {
    for (const [cause, entries] of entriesByCause) logger.error({ entries, cause }, 'auction log entries dropped');
    entriesByCause.clear();
  };
  const reportLater = () => {
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      if (entriesByCause.size === 0) return;
      report();
      reportLater();
    }, everyMs);
  };

  return {
    onDropped(count, cause) {
      recorder.auctionLogDropped(count);
      entriesByCause.set(cause, (entriesByCause.get(cause) ?? 0) + count);
      if (isScheduled) return;
      report();
      reportLater();
    },
    onClosed: report,
  };
}
