/** The SLO report: latency quantiles and request rate of live traffic over a sliding window, against their targets. */
import type { MetricsSnapshot } from './metrics.ts';

export const targets = { p50Ms: 50, p95Ms: 100, p99Ms: 200, rps: 10_000 } as const;

export interface SloReport {
  targets: typeof targets;
  /** Null without live traffic in the window. */
  measured: Measurements;
  met: Record<keyof typeof targets, boolean>;
  windowSeconds: number;
}

type Measurements = Record<keyof typeof targets, number | null>;

/** Cumulative counts at one moment. */
export interface LatencyCounts {
  atMs: number;
  /** All live requests. */
  requests: number;
  /** Responses with a bid or no bid, by upper bucket bound in seconds. */
  byBound: Map<number, number>;
}

/** Keeps the counts of the last window, so that a report covers the window instead of the whole uptime. */
export class SloWindow {
  readonly #windowMs: number;
  readonly #history: LatencyCounts[];

  /** All counts are zero at `startedAtMs`. */
  constructor(windowMs: number, startedAtMs: number) {
    this.#windowMs = windowMs;
    this.#history = [{ atMs: startedAtMs, requests: 0, byBound: new Map() }];
  }

  add(counts: LatencyCounts): void {
    this.#history.push(counts);
    while (this.#history.length > 1 && counts.atMs - this.#history[1]!.atMs >= this.#windowMs) this.#history.shift();
  }

  report(now: LatencyCounts): SloReport {
    return compareToTargets(this.#history[0]!, now);
  }
}

/** The outcomes of bid requests that ran an auction: the latency targets are for these. */
export const auctionOutcomes: readonly string[] = ['bid', 'no_bid'];

interface Sample {
  value: number;
  labels: Record<string, string | number>;
  metricName: string;
}

export function readLatencies(snapshot: MetricsSnapshot, atMs: number): LatencyCounts {
  const counts: LatencyCounts = { atMs, requests: 0, byBound: new Map() };
  const histogram = snapshot.find(({ name }) => name === 'exchange_request_duration_seconds');
  for (const { value, labels, metricName } of (histogram as { values?: Sample[] } | undefined)?.values ?? []) {
    if (labels.mode !== 'live') continue;
    if (metricName.endsWith('_count')) counts.requests += value;
    if (!metricName.endsWith('_bucket') || !auctionOutcomes.includes(String(labels.outcome))) continue;
    const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
    counts.byBound.set(bound, (counts.byBound.get(bound) ?? 0) + value);
  }
  return counts;
}

function compareToTargets(before: LatencyCounts, now: LatencyCounts): SloReport {
  const windowSeconds = (now.atMs - before.atMs) / 1000;
  const bounds = [...now.byBound].sort(([a], [b]) => a - b);
  const counts = bounds.map(([bound, count]): [number, number] => [bound, count - (before.byBound.get(bound) ?? 0)]);
  const requests = now.requests - before.requests;
  const measured: Measurements = {
    p50Ms: quantileMs(counts, 0.5),
    p95Ms: quantileMs(counts, 0.95),
    p99Ms: quantileMs(counts, 0.99),
    rps: windowSeconds > 0 && requests > 0 ? round(requests / windowSeconds) : null,
  };
  const isBelow = (name: 'p50Ms' | 'p95Ms' | 'p99Ms') => measured[name] !== null && measured[name] < targets[name];
  return {
    targets,
    measured,
    met: {
      p50Ms: isBelow('p50Ms'),
      p95Ms: isBelow('p95Ms'),
      p99Ms: isBelow('p99Ms'),
      rps: measured.rps !== null && measured.rps >= targets.rps,
    },
    windowSeconds: round(windowSeconds),
  };
}

/** Same as Prometheus's histogram_quantile: interpolates linearly within the bucket that contains the quantile. */
export function quantileMs(counts: readonly [bound: number, count: number][], quantile: number): number | null {
  const total = counts.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  const rank = quantile * total;
  let lowerBound = 0;
  let lowerCount = 0;
  for (const [bound, count] of counts) {
    if (count >= rank) {
      const fraction = bound === Infinity ? 0 : (rank - lowerCount) / (count - lowerCount);
      return round((lowerBound + (bound === Infinity ? 0 : bound - lowerBound) * fraction) * 1000);
    }
    lowerBound = bound;
    lowerCount = count;
  }
  return null;
}

const round = (value: number): number => Math.round(value * 100) / 100;
