/** One sample per second: what all workers have added since the sample before, whichever workers there are. */
import { expect, test } from '@jest/globals';
import { LiveSamples } from '../../../src/fleet/console/live-samples.ts';
import type { PartnerCounters, WorkerCounters } from '../../../src/observe/console/worker-counters.ts';
import { requestBuckets, stageBuckets } from '../../../src/observe/metrics.ts';

const state = { workers: { ready: 2, expected: 2 }, limitMode: 'embedded' as const };

/** One count per value in milliseconds. */
const histogram = (valuesMs: readonly number[], bounds: readonly number[]): number[] => {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const value of valuesMs) {
    const bucket = bounds.findIndex((bound) => value <= bound * 1000);
    counts[bucket === -1 ? bounds.length : bucket]!++;
  }
  return counts;
};

const counters = (bidsMs: readonly number[], more: Partial<WorkerCounters> = {}): WorkerCounters => ({
  requests: { bid: histogram(bidsMs, requestBuckets), no_bid: histogram([], requestBuckets) },
  testRequests: 0,
  rateLimited: {},
  shed: {},
  queueDelay: histogram([], stageBuckets),
  lagMs: 0,
  partners: [],
  ...more,
});

const alpha = (more: Partial<PartnerCounters> = {}): PartnerCounters => ({
  name: 'alpha',
  results: {},
  latency: [],
  bids: {},
  revenueMicros: 0,
  breaker: 'closed',
  deadlineMs: 100,
  ...more,
});

const next = (samples: LiveSamples, ...workers: [number, WorkerCounters][]) =>
  samples.next(new Map(workers), 1_000, state);

test('the first sample of a worker is what it has counted since its start; later ones are differences', () => {
  const samples = new LiveSamples();
  expect(next(samples, [1, counters([5, 5])]).outcomes).toEqual({ bid: 2, no_bid: 0 });
  expect(next(samples, [1, counters([5, 5, 5])]).outcomes).toEqual({ bid: 1, no_bid: 0 });
  expect(next(samples, [1, counters([5, 5, 5])])).toMatchObject({
    outcomes: { bid: 0 },
    latencyMs: null,
    timeMs: 1_000,
  });
});

test('a worker that does not reply in time is in a later sample; one that has exited takes nothing away', () => {
  const samples = new LiveSamples();
  next(samples, [1, counters([5])], [2, counters([5, 5, 5])]);
  expect(next(samples, [1, counters([5, 5])]).outcomes.bid).toBe(1);
  expect(next(samples, [1, counters([5, 5])], [2, counters([5, 5, 5, 5])]).outcomes.bid).toBe(1);
  samples.forget(2);
  expect(next(samples, [1, counters([5, 5])], [3, counters([5])]).outcomes.bid).toBe(1);
});

test('the lag of a worker that does not reply is the time since its last reply; an exited worker has none', () => {
  const samples = new LiveSamples();
  const at = (timeMs: number, ...workers: number[]) =>
    samples.next(new Map(workers.map((worker) => [worker, counters([], { lagMs: 4 })])), timeMs, state).eventLoopLagMs;
  expect(at(1_000, 1, 2)).toBe(4);
  expect(at(2_500, 1)).toBe(1_500);
  expect(at(3_500)).toBe(2_500);
  expect(at(4_500, 1, 2)).toBe(4);
  samples.forget(2);
  expect(at(5_500, 1)).toBe(4);
});

test('latency is that of bid and no bid in this second, over all workers', () => {
  const samples = new LiveSamples();
  next(samples, [1, counters(Array.from({ length: 1_000 }, () => 400))]);
  const before = Array.from({ length: 1_000 }, () => 400);
  const { latencyMs } = next(samples, [1, counters([...before, ...Array.from({ length: 99 }, () => 9), 180])]);
  expect(latencyMs!.p50).toBeGreaterThan(7.5);
  expect(latencyMs!.p50).toBeLessThanOrEqual(10);
  expect(latencyMs!.p99).toBeLessThanOrEqual(10);
});

test('rate limits, shedding, queue delay, lag of the worst worker, state of the fleet, test traffic', () => {
  const samples = new LiveSamples();
  const one = counters([], {
    rateLimited: { ip: 3 },
    shed: { queue_delay: 2, pipeline: 0 },
    lagMs: 4,
    testRequests: 1,
  });
  const two = counters([], { rateLimited: { ip: 1, global: 2 }, lagMs: 9, queueDelay: histogram([0.3], stageBuckets) });
  expect(next(samples, [1, one], [2, two])).toMatchObject({
    rateLimited: { ip: 4, publisher: 0, global: 2 },
    shed: { queue_delay: 2 },
    eventLoopLagMs: 9,
    queueDelayMs: expect.any(Number),
    testRequests: 1,
    ...state,
  });
  expect(next(samples, [1, one], [2, two])).toMatchObject({ queueDelayMs: null, shed: {} });
});

test('partners are summed over the workers; the worst breaker and the longest deadline count', () => {
  const latency = histogram([4, 40], requestBuckets);
  const one = alpha({
    results: { bid: 2, timeout: 1, skipped: 1 },
    latency,
    bids: { won: 1, lost: 1, below_floor: 2 },
    revenueMicros: 1_000.4,
    breaker: 'half_open',
  });
  const two = alpha({ results: { bid: 1 }, bids: { won: 1 }, revenueMicros: 500, deadlineMs: 120 });
  const samples = new LiveSamples();
  const { partners } = next(samples, [1, counters([], { partners: [one] })], [2, counters([], { partners: [two] })]);
  expect(partners).toMatchObject([
    {
      name: 'alpha',
      calls: 4,
      outcomes: { bid: 3, timeout: 1, skipped: 1 },
      bids: 5,
      wins: 2,
      revenueMicros: 1_500,
      dropped: { below_floor: 2 },
      breaker: 'half_open',
      deadlineMs: 120,
    },
  ]);
  const { le, counts } = partners[0]!.latency;
  expect([counts[le.indexOf(3)], counts[le.indexOf(5)], counts[le.indexOf(50)], counts.at(-1)]).toEqual([0, 1, 2, 2]);
  expect(le.at(-1)).toBeNull();
  const [later] = next(samples, [1, counters([], { partners: [one] })]).partners;
  expect(later).toMatchObject({ calls: 0, bids: 0, wins: 0, revenueMicros: 0, outcomes: {}, breaker: 'half_open' });
  expect(later!.latency.counts.at(-1)).toBe(0);
});

test('a local bidder has no deadline', () => {
  const partners = [alpha({ name: 'house', deadlineMs: null })];
  expect(next(new LiveSamples(), [1, counters([], { partners })]).partners).toMatchObject([{ deadlineMs: null }]);
});
