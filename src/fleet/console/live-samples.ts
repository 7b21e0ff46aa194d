/** Turns the counters of all workers into one sample per second: what has been added since the sample before. */
import type { LiveSample, PartnerSample } from '../../contract/console-api.ts';
import { roundToMicroseconds } from '../../format/round-to-microseconds.ts';
import type { PartnerCounters, WorkerCounters } from '../../observe/console/worker-counters.ts';
import { requestBuckets, stageBuckets } from '../../observe/metrics.ts';
import { auctionOutcomes, quantileMs } from '../../observe/slo.ts';

export interface FleetState {
  workers: LiveSample['workers'];
  limitMode: LiveSample['limitMode'];
}

type Counts = Record<string, number>;

const latencyBounds: (number | null)[] = [...requestBuckets.map((seconds) => seconds * 1000), null];
const breakerSeverity: readonly PartnerSample['breaker'][] = ['closed', 'half_open', 'open'];

export class LiveSamples {
  /** The last counters of each worker, and when it sent them. A worker starts at zero. */
  #previous = new Map<number, { counters: WorkerCounters; timeMs: number }>();

  /** A worker without counters in `current` adds what it counted to a later sample; one that has exited must be forgotten. */
  next(current: ReadonlyMap<number, WorkerCounters>, timeMs: number, state: FleetState): LiveSample {
    const deltas = [...current].map(([worker, counters]) => subtract(counters, this.#previous.get(worker)?.counters));
    for (const [worker, counters] of current) this.#previous.set(worker, { counters, timeMs });
    const silentMs = [...this.#previous.values()].map((previous) => timeMs - previous.timeMs);
    const lagMs = Math.max(0, ...silentMs, ...deltas.map((delta) => delta.lagMs));
    return { ...toSample(deltas, timeMs), ...state, eventLoopLagMs: lagMs };
  }

  forget(worker: number): void {
    this.#previous.delete(worker);
  }
}

function toSample(
  deltas: readonly WorkerCounters[],
  timeMs: number,
): Omit<LiveSample, keyof FleetState | 'eventLoopLagMs'> {
  const requests = sumLists(deltas.map((delta) => delta.requests));
  const rateLimited = sumCounts(deltas.map((delta) => delta.rateLimited));
  const queueDelay = sumList(deltas.map((delta) => delta.queueDelay));
  const latency = sumList(auctionOutcomes.map((outcome) => requests[outcome] ?? []));
  const quantile = (share: number) => quantileMs(cumulative(latency, requestBuckets), share)!;
  return {
    timeMs,
    outcomes: Object.fromEntries(Object.entries(requests).map(([outcome, counts]) => [outcome, total(counts)])),
    testRequests: deltas.reduce((sum, delta) => sum + delta.testRequests, 0),
    latencyMs: total(latency) === 0 ? null : { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
    rateLimited: {
      ip: rateLimited.ip ?? 0,
      publisher: rateLimited.publisher ?? 0,
      global: rateLimited.global ?? 0,
    },
    shed: nonZero(sumCounts(deltas.map((delta) => delta.shed))),
    queueDelayMs: quantileMs(cumulative(queueDelay, stageBuckets), 0.99),
    partners: mergePartners(deltas),
  };
}

function mergePartners(deltas: readonly WorkerCounters[]): PartnerSample[] {
  const byName = new Map<string, PartnerCounters[]>();
  for (const partner of deltas.flatMap(({ partners }) => partners)) {
    const others = byName.get(partner.name);
    if (others) others.push(partner);
    else byName.set(partner.name, [partner]);
  }
  return [...byName].map(([name, parts]) => toPartnerSample(name, parts));
}

function toPartnerSample(name: string, parts: readonly PartnerCounters[]): PartnerSample {
  const outcomes = nonZero(sumCounts(parts.map(({ results }) => results)));
  const { won = 0, lost = 0, ...dropped } = nonZero(sumCounts(parts.map(({ bids }) => bids)));
  const severity = Math.max(...parts.map(({ breaker }) => breakerSeverity.indexOf(breaker)));
  const deadlines = parts.flatMap(({ deadlineMs }) => deadlineMs ?? []);
  let sum = 0;
  return {
    name,
    calls: total(Object.values(outcomes)) - (outcomes.skipped ?? 0),
    outcomes,
    bids: won + lost + total(Object.values(dropped)),
    wins: won,
    revenueMicros: Math.round(parts.reduce((revenue, part) => revenue + part.revenueMicros, 0)),
    dropped,
    latency: { le: latencyBounds, counts: sumList(parts.map(({ latency }) => latency)).map((count) => (sum += count)) },
    breaker: breakerSeverity[Math.max(severity, 0)]!,
    deadlineMs: deadlines.length === 0 ? null : roundToMicroseconds(Math.max(...deadlines)),
  };
}

function subtract(now: WorkerCounters, before: WorkerCounters | undefined): WorkerCounters {
  if (!before) return now;
  const partnersBefore = new Map(before.partners.map((partner) => [partner.name, partner]));
  return {
    requests: Object.fromEntries(
      Object.entries(now.requests).map(([outcome, counts]) => [outcome, minus(counts, before.requests[outcome])]),
    ),
    testRequests: now.testRequests - before.testRequests,
    rateLimited: minusCounts(now.rateLimited, before.rateLimited),
    shed: minusCounts(now.shed, before.shed),
    queueDelay: minus(now.queueDelay, before.queueDelay),
    lagMs: now.lagMs,
    partners: now.partners.map((partner) => subtractPartner(partner, partnersBefore.get(partner.name))),
  };
}

function subtractPartner(now: PartnerCounters, before: PartnerCounters | undefined): PartnerCounters {
  if (!before) return now;
  return {
    ...now,
    results: minusCounts(now.results, before.results),
    latency: minus(now.latency, before.latency),
    bids: minusCounts(now.bids, before.bids),
    revenueMicros: now.revenueMicros - before.revenueMicros,
  };
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const minus = (now: readonly number[], before: readonly number[] = []): number[] =>
  now.map((count, index) => count - (before[index] ?? 0));

const minusCounts = (now: Counts, before: Counts): Counts =>
  Object.fromEntries(Object.entries(now).map(([key, count]) => [key, count - (before[key] ?? 0)]));

function sumCounts(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all) for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

function sumList(lists: readonly (readonly number[])[]): number[] {
  const sums: number[] = [];
  for (const list of lists) for (const [index, count] of list.entries()) sums[index] = (sums[index] ?? 0) + count;
  return sums;
}

function sumLists(all: readonly Record<string, number[]>[]): Record<string, number[]> {
  const keys = new Set(all.flatMap((lists) => Object.keys(lists)));
  return Object.fromEntries(Array.from(keys, (key) => [key, sumList(all.map((lists) => lists[key] ?? []))]));
}

const nonZero = (counts: Counts): Counts => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** Observations up to each bound, in seconds. */
function cumulative(counts: readonly number[], bounds: readonly number[]): [bound: number, count: number][] {
  let sum = 0;
  return counts.map((count, bucket) => [bounds[bucket] ?? Infinity, (sum += count)]);
}
