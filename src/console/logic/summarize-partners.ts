/** Sums the samples of the last seconds per partner into one row each. */
import type { LiveSample, PartnerSample } from '../../contract/console-api.ts';
import { addCounts, lastSeconds, sumOf } from './sample-window.ts';
import { addHistograms, type Histogram, percentile } from './percentile.ts';

export interface PartnerSummary {
  name: string;
  callsPerSecond: number;
  /** The share of calls with a bid, 0 to 1; null without calls. */
  bidRate: number | null;
  /** The share of bids that won, 0 to 1; null without bids. */
  winRate: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  outcomes: Record<string, number>;
  dropped: Record<string, number>;
  /** Bids by what became of them. */
  bids: { won: number; lost: number; dropped: number };
  latency: Histogram;
  /** Null if the partner is not in the newest sample: a reload has removed it. */
  breaker: PartnerSample['breaker'] | null;
  deadlineMs: number | null;
  /** USD per thousand calls; null without calls. */
  revenuePerThousand: number | null;
}

export interface PartnerPeriod {
  partners: PartnerSummary[];
  /** When the samples with partners begin, if those before have lost them; otherwise undefined. */
  sinceMs: number | undefined;
}

export function summarizePartners(samples: LiveSample[], seconds: number): PartnerPeriod {
  const period = lastSeconds(samples, seconds);
  // The server drops the partners of the oldest samples if it has too many.
  const first = period.findIndex(({ partners }) => partners.length > 0);
  const known = first === -1 ? [] : period.slice(first);
  const current = new Set(known.findLast(({ partners }) => partners.length > 0)?.partners.map(({ name }) => name));
  const byName = new Map<string, PartnerSample[]>();
  for (const { partners } of known)
    for (const partner of partners) {
      const own = byName.get(partner.name);
      if (own) own.push(partner);
      else byName.set(partner.name, [partner]);
    }
  return {
    partners: [...byName].map(([name, own]) => summarize(own, known.length, current.has(name))),
    sinceMs: first > 0 ? known[0]!.timeMs : undefined,
  };
}

function summarize(samples: PartnerSample[], seconds: number, isCurrent: boolean): PartnerSummary {
  const latest = samples.at(-1)!;
  const total = (value: (sample: PartnerSample) => number) => samples.reduce((sum, sample) => sum + value(sample), 0);
  const calls = total((sample) => sample.calls);
  const bids = total((sample) => sample.bids);
  const wins = total((sample) => sample.wins);
  const dropped = addCounts(samples.map((sample) => sample.dropped));
  const outcomes = addCounts(samples.map((sample) => sample.outcomes));
  const latency = samples.map((sample) => sample.latency).reduce(addHistograms);
  const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    name: latest.name,
    callsPerSecond: calls / seconds,
    bidRate: ratio(outcomes.bid ?? 0, calls),
    winRate: ratio(wins, bids),
    p50Ms: percentile(latency, 0.5),
    p95Ms: percentile(latency, 0.95),
    outcomes,
    dropped,
    bids: { won: wins, lost: Math.max(0, bids - wins - sumOf(dropped)), dropped: sumOf(dropped) },
    latency,
    breaker: isCurrent ? latest.breaker : null,
    deadlineMs: isCurrent ? latest.deadlineMs : null,
    revenuePerThousand: ratio(total((sample) => sample.revenueMicros) / 1_000, calls),
  };
}
