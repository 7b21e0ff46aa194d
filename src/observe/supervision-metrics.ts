/** The metrics of the supervision of the workers, in the primary. */
import { Counter, type Metric } from 'prom-client';

/** Why a worker was replaced: it exited unexpectedly, it was unresponsive, or by a rolling restart. */
export type ReplacementReason = (typeof reasons)[number];

const reasons = ['exit', 'heartbeat', 'roll'] as const;

export interface SupervisionMetrics {
  all: Metric[];
  countReplacement(reason: ReplacementReason): void;
  countStall(stalledMs: number): void;
}

export function createSupervisionMetrics(): SupervisionMetrics {
  const replacements = new Counter({
    name: 'exchange_worker_replacements_total',
    help: 'Workers replaced: exited unexpectedly, unresponsive and killed, or by a rolling restart',
    labelNames: ['reason'],
    registers: [],
  });
  for (const reason of reasons) replacements.inc({ reason }, 0);
  const stalls = new Counter({
    name: 'exchange_primary_stall_seconds_total',
    help: 'Time for which the event loop of the primary was stopped or blocked, in stalls of more than 1 s',
    registers: [],
  });
  return {
    all: [replacements, stalls],
    countReplacement: (reason) => replacements.inc({ reason }),
    countStall: (stalledMs) => stalls.inc(stalledMs / 1000),
  };
}
