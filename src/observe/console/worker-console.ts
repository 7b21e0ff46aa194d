/** What a worker keeps for the console, and its replies to the primary. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AuctionSample, ErrorCount } from '../../contract/console-api.ts';
import type { Metrics } from '../metrics.ts';
import type { Recorder } from '../recorder.ts';
import { AuctionSamples } from './auction-samples.ts';
import { ErrorTable } from './error-table.ts';
import { readCounters, type WorkerCounters } from './worker-counters.ts';

/** What the primary can request. */
export type ConsoleReply =
  | { of: 'counters'; value: WorkerCounters }
  /** In parts; `left` is the number of those that follow. */
  | { of: 'auctions'; value: AuctionSample[]; left: number }
  | { of: 'errors'; value: ErrorCount[] };

export interface WorkerConsole {
  samples: AuctionSamples;
  errors: ErrorTable;
  /** More than one only of auctions; none while an earlier reply with them is being sent. */
  replies(of: ConsoleReply['of']): Iterable<ConsoleReply>;
}

const resolutionMs = 20;
/** Samples in one message: to encode all of them at once may take as long as a hundred bid requests. */
export const samplesPerReply = 25;

export function createWorkerConsole(metrics: Metrics, recorder: Recorder, nowMs: () => number): WorkerConsole {
  const samples = new AuctionSamples(nowMs);
  const errors = new ErrorTable();
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const readLag = (): number => {
    const lagMs = Math.max(0, delay.max / 1e6 - resolutionMs); // it measures the interval of its own timer
    delay.reset();
    return Math.round(lagMs * 10) / 10;
  };
  const replyWithAuctions = createAuctionReplies(samples);
  return {
    samples,
    errors,
    replies: (of) => {
      if (of === 'counters') return [{ of, value: readCounters(metrics, recorder, readLag()) }];
      return of === 'auctions' ? replyWithAuctions() : [{ of, value: errors.rows() }];
    },
  };
}

function createAuctionReplies(samples: AuctionSamples): () => Iterable<ConsoleReply> {
  let isReplying = false;
  return function* () {
    if (isReplying) return;
    isReplying = true;
    try {
      const all = samples.all();
      let left = Math.max(1, Math.ceil(all.length / samplesPerReply));
      for (let start = 0; left > 0; start += samplesPerReply)
        yield { of: 'auctions', value: all.slice(start, start + samplesPerReply), left: --left };
    } finally {
      isReplying = false;
    }
  };
}
