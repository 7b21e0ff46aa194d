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
  | { topic: 'counters'; value: WorkerCounters }
  /** In parts; `partsLeft` of them follow. */
  | { topic: 'auctions'; value: AuctionSample[]; partsLeft: number }
  | { topic: 'errors'; value: ErrorCount[] };

export interface WorkerConsole {
  samples: AuctionSamples;
  errors: ErrorTable;
  /** More than one only of auctions; none while an earlier reply with them is being sent. */
  replies(topic: ConsoleReply['topic']): Iterable<ConsoleReply>;
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
    replies: (topic) => {
      if (topic === 'counters') return [{ topic, value: readCounters(metrics, recorder, readLag()) }];
      return topic === 'auctions' ? replyWithAuctions() : [{ topic, value: errors.rows() }];
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
      let partsLeft = Math.max(1, Math.ceil(all.length / samplesPerReply));
      for (let start = 0; partsLeft > 0; start += samplesPerReply)
        yield { topic: 'auctions', value: all.slice(start, start + samplesPerReply), partsLeft: --partsLeft };
    } finally {
      isReplying = false;
    }
  };
}
