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
  | { of: 'auctions'; value: AuctionSample[] }
  | { of: 'errors'; value: ErrorCount[] };

export interface WorkerConsole {
  samples: AuctionSamples;
  errors: ErrorTable;
  reply(of: ConsoleReply['of']): ConsoleReply;
}

const resolutionMs = 20;

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
  return {
    samples,
    errors,
    reply: (of) => {
      if (of === 'counters') return { of, value: readCounters(metrics, recorder, readLag()) };
      return of === 'auctions' ? { of, value: samples.all() } : { of, value: errors.rows() };
    },
  };
}
