/** Learned deadlines against fixed ones: revenue and latency of simulated auctions, in simulated time. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { scenarios } from '../../load/bench/deadlines/scenarios.ts';
import { simulate, type SimulatedAuction } from '../../load/bench/deadlines/simulate.ts';
import { summarize } from '../../load/bench/deadlines/summarize.ts';

const count = 900;
/** Until three calls have lasted for 150 ms nothing is known. */
const firstAuctions = 11;
/** The two partners that are always there respond within 45 ms. */
const othersMs = 45;

const run = (name: string, policy: 'learned' | number) =>
  simulate(
    scenarios.find((scenario) => scenario.name === name)!,
    policy,
    count,
  );

const results = new Map<string, { learned: SimulatedAuction[]; fixed: SimulatedAuction[] }>();
beforeAll(async () => {
  for (const { name } of scenarios) {
    results.set(name, { learned: await run(name, 'learned'), fixed: await run(name, 150) });
  }
});

/** Auctions with a valid bid: without one, both wait for whoever may still bid. */
const sold = (auctions: readonly SimulatedAuction[]) => auctions.filter(({ revenue }) => revenue > 0);

describe.each(scenarios.map(({ name }) => name))('with a partner that is %s', (name) => {
  test('revenue is at least 97% of that with the fixed soft budget', () => {
    const { learned, fixed } = results.get(name)!;
    expect(summarize(fixed).revenue).toBeGreaterThan(count);
    expect(summarize(learned).revenue).toBeGreaterThanOrEqual(0.97 * summarize(fixed).revenue);
  });

  test('no percentile of the latency is higher', () => {
    const [learned, fixed] = [summarize(results.get(name)!.learned), summarize(results.get(name)!.fixed)];
    expect(learned.p50Ms).toBeLessThanOrEqual(fixed.p50Ms);
    expect(learned.p99Ms).toBeLessThanOrEqual(fixed.p99Ms);
    expect(learned.meanMs).toBeLessThanOrEqual(fixed.meanMs);
  });
});

test.each(['too slow', 'bimodal', 'recovering', 'hung'])(
  'with a partner that is %s, mean latency is lower by a third',
  (name) => {
    const { learned, fixed } = results.get(name)!;
    expect(summarize(learned).meanMs).toBeLessThan((2 / 3) * summarize(fixed).meanMs);
  },
);

test.each(['too slow', 'hung'])('a partner that is %s costs nothing after its first calls', (name) => {
  const { learned, fixed } = results.get(name)!;
  const latencies = (auctions: SimulatedAuction[]) =>
    sold(auctions.slice(firstAuctions))
      .filter(({ outcomes }) => outcomes.slice(0, 2).some(({ validBids }) => validBids.length > 0))
      .map(({ latencyMs }) => latencyMs);
  expect(Math.max(...latencies(learned))).toBeLessThanOrEqual(othersMs);
  expect(Math.min(...latencies(fixed))).toBe(150);
});

test('a partner that hangs is skipped: its circuit breaker opens although no auction waits for it', () => {
  const resultsOf = (auctions: SimulatedAuction[]) =>
    new Set(auctions.slice(-100).map(({ outcomes }) => outcomes[2]!.result));
  expect(resultsOf(results.get('hung')!.learned)).toContain('skipped');
  expect(resultsOf(results.get('hung')!.fixed)).not.toContain('skipped');
});

test('the fast mode of a bimodal partner is waited for, the slow one is not once it is known', () => {
  for (const { deadlineMs } of results.get('bimodal')!.learned.slice(60)) {
    expect(deadlineMs).toBeGreaterThan(20);
    expect(deadlineMs).toBeLessThan(40);
  }
});

test('a partner that has recovered is waited for again within 100 auctions', () => {
  const { learned } = results.get('recovering')!;
  const half = count / 2;
  expect(learned[half - 1]!.deadlineMs).toBe(0);
  expect(learned[half + 100]!.deadlineMs).toBeGreaterThan(20);
  const bids = learned.slice(half + 100).filter(({ outcomes }) => outcomes[2]!.result === 'late');
  expect(bids).toEqual([]);
});

test('a partner that becomes slower is waited for while it responds within the soft budget, and no longer', () => {
  const { learned } = results.get('degrading')!;
  const withinBudget = learned.slice(0, (2 * count) / 3);
  expect(withinBudget.filter(({ outcomes }) => outcomes[2]!.result === 'late')).toEqual([]);
  expect(learned[(2 * count) / 3 - 1]!.deadlineMs).toBe(150);
  expect(learned.at(-1)!.deadlineMs).toBe(0);
});
