/** Whether the targets hold: quantiles and rate of live traffic over the last while, from the histograms themselves. */
import type { Snapshot } from './fleet-metrics.ts';

export const targets = { p50Ms: 50, p95Ms: 100, p99Ms: 200, rps: 10_000 } as const;

type Figures = Record<keyof typeof targets, number | null>;

export interface SloReport {
  targets: typeof targets;
  /** Null without live traffic in the window. */
  measured: Figures;
  met: Record<keyof typeof targets, boolean>;
  windowSeconds: number;
}

/** Cumulative counts by upper bound, in seconds, of answers to bid requests; `requests` are all live ones. */
export interface LatencyCounts {
  atMs: number;
  requests: number;
  byBound: Map<number, number>;
}

const answered = new Set(['bid', 'no_bid']);

export function readLatencies(snapshot: Snapshot, atMs: number): LatencyCounts {
  const counts: LatencyCounts = { atMs, requests: 0, byBound: new Map() };
  const histogram = snapshot.find(({ name }) => name === 'exchange_request_duration_seconds');
  for (const { value, labels, metricName } of (histogram as { values?: Sample[] } | undefined)?.values ?? []) {
    if (labels.mode !== 'live') continue;
    if (metricName.endsWith('_count')) counts.requests += value;
    if (!metricName.endsWith('_bucket') || !answered.has(String(labels.outcome))) continue;
    const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
    counts.byBound.set(bound, (counts.byBound.get(bound) ?? 0) + value);
  }
  return counts;
}

interface Sample {
  value: number;
  labels: Record<string, string | number>;
  metricName: string;
}

export function judgeTargets(before: LatencyCounts, now: LatencyCounts): SloReport {
  const windowSeconds = (now.atMs - before.atMs) / 1000;
  const bounds = [...now.byBound].sort(([a], [b]) => a - b);
  const counts = bounds.map(([bound, count]): [number, number] => [bound, count - (before.byBound.get(bound) ?? 0)]);
  const requests = now.requests - before.requests;
  const measured: Figures = {
    p50Ms: quantileMs(counts, 0.5),
    p95Ms: quantileMs(counts, 0.95),
    p99Ms: quantileMs(counts, 0.99),
    rps: windowSeconds > 0 && requests > 0 ? round(requests / windowSeconds) : null,
  };
  const below = (name: 'p50Ms' | 'p95Ms' | 'p99Ms') => measured[name] !== null && measured[name] < targets[name];
  return {
    targets,
    measured,
    met: {
      p50Ms: below('p50Ms'),
      p95Ms: below('p95Ms'),
      p99Ms: below('p99Ms'),
      rps: measured.rps !== null && measured.rps >= targets.rps,
    },
    windowSeconds: round(windowSeconds),
  };
}

/** As Prometheus's histogram_quantile reckons: linear within the bucket in which the quantile falls. */
function quantileMs(counts: readonly [bound: number, count: number][], quantile: number): number | null {
  const total = counts.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  const rank = quantile * total;
  let lowerBound = 0;
  let below = 0;
  for (const [bound, count] of counts) {
    if (count >= rank) {
      const share = bound === Infinity ? 0 : (rank - below) / (count - below);
      return round((lowerBound + (bound === Infinity ? 0 : bound - lowerBound) * share) * 1000);
    }
    lowerBound = bound;
    below = count;
  }
  return null;
}

const round = (value: number): number => Math.round(value * 100) / 100;
