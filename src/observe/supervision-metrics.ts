/** The metrics of the supervision of the workers, in the primary. */
import { Counter, Gauge, type Metric } from 'prom-client';

/** Why a worker was replaced: it exited unexpectedly, it was unresponsive, or by a rolling restart. */
export type ReplacementReason = (typeof reasons)[number];

const reasons = ['exit', 'heartbeat', 'roll'] as const;

export interface SupervisionMetrics {
  all: Metric[];
  countReplacement(reason: ReplacementReason): void;
  countStall(stalledMs: number): void;
  /** Result of the latest reload of the configuration files; the metric is 1 until the first reload. */
  setReload(isSuccessful: boolean): void;
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
  const reload = new Gauge({
    name: 'exchange_config_reload_successful',
    help: 'Whether the latest reload of the configuration succeeded: 1 if it did or if there was none, else 0',
    registers: [],
  });
  reload.set(1);
  return {
    all: [replacements, stalls, reload],
    countReplacement: (reason) => replacements.inc({ reason }),
    countStall: (stalledMs) => stalls.inc(stalledMs / 1000),
    setReload: (isSuccessful) => reload.set(isSuccessful ? 1 : 0),
  };
}
