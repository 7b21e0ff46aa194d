/** What the failovers of Redis share: when a silent master is replaced, and how long the workers are in degraded mode. */
import type { Outcome } from './fault.ts';
import { seconds } from './judge.ts';
import { maxDegradedMs } from './signs.ts';

/** `down-after-milliseconds` and `cluster-node-timeout`, as docs/operating.md recommends them. */
export const downAfterMs = 300;

/** Both times are from the kill of the master, when degraded mode begins. */
export const withSuccessor = (outcome: Outcome, successorAfterMs: number): Outcome => ({
  ...outcome,
  details: [
    ...outcome.details,
    `the replica took over after ${seconds(successorAfterMs)}, and all workers used it after ${seconds(outcome.recoveryMs)}; goal: degraded for at most ${seconds(maxDegradedMs)} in total`,
  ],
});
