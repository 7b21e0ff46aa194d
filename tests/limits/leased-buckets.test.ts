/** A worker with leases: what needs no call, what a rejected request gives back, what is reported. */
import { expect, test } from '@jest/globals';
import { BucketResolver } from '../../src/limits/bucket-refs.ts';
import { leaseEpochMicros } from '../../src/limits/bucket-state.ts';
import { decodeDecision, isRejection } from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import { LeasedBuckets } from '../../src/limits/leased-buckets.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';

const epochMs = leaseEpochMicros / 1000;
const limits: Limits = { ip: 100, publisher: 1_000, global: 10_000 };

/** Time starts at the beginning of an epoch. */
function create(own = limits) {
  const engine = new GcraEngine();
  const resolver = new BucketResolver(own);
  const state = { nowMs: 1_794_700_000_000, calls: 0, latencyMs: 0 };
  const nowMicros = () => state.nowMs * 1000;
  const leased = new LeasedBuckets({
    buckets: {
      decideAll: async (batch) => {
        state.calls++;
        state.nowMs += state.latencyMs;
        return engine.decideAll(batch, nowMicros());
      },
      probe: async () => {},
      timeoutMs: 400,
    },
    clocks: { nowMs: () => state.nowMs, nowMicros },
    onCall: () => {},
  });
  const refsOf = (ip: string) => resolver.resolve({ ip, publisher: 'pub-1' });
  const decide = async (ip: string) => {
    const refs = refsOf(ip);
    const decided = leased.decideByLeases(refs) ?? (await leased.decideAll([refs], own.global))[0]!;
    return decided.decision;
  };
  /** The tokens of a bucket as a worker without leases sees them. */
  const remainingOf = (kind: 'ip' | 'publisher' | 'global') => {
    const ref = refsOf('a').find((one) => one.kind === kind);
    const batch = { names: [ref!.name], limits: [ref!.limit], requests: [], leases: [1, 0, 0, 0, 0] };
    const fullIn = engine.decideAll(batch, nowMicros()).grants[1]!;
    return ref!.limit - Math.ceil(fullIn / (1_000_000 / ref!.limit));
  };
  return { state, leased, decide, refsOf, remainingOf };
}

/** Two windows of steady requests, after which all buckets of address `a` have a lease. */
async function withLeases(own = limits) {
  const parts = create(own);
  for (let i = 0; i < 10; i++) {
    await parts.decide('a');
    parts.state.nowMs += 10;
  }
  await parts.decide('a');
  return parts;
}

test('an address that sends its first requests has no lease: a burst is decided by calls, one by one', async () => {
  const { state, decide } = create();
  for (let i = 0; i < 100; i++) expect(decodeDecision(await decide('a'))).toMatchObject({ remaining: 99 - i });
  expect(isRejection(await decide('a'))).toBe(true);
  expect(state.calls).toBe(101);
});

test('a request whose buckets all have a lease needs no call, and the remaining tokens count down by one', async () => {
  const { state, decide } = await withLeases();
  const calls = state.calls;
  const first = decodeDecision(await decide('a'));
  const second = decodeDecision(await decide('a'));
  expect(state.calls).toBe(calls);
  expect(first).toMatchObject({ admitted: true, kind: 'ip' });
  expect(second.remaining).toBe(first.remaining - 1);
  expect(second.fullInMicros).toBe(first.fullInMicros + 10_000);
});

test('a lease is not spent after it has ended in the bucket, even if nothing renewed it', async () => {
  const { state, leased, refsOf } = await withLeases();
  expect(leased.decideByLeases(refsOf('a'))).toBeDefined();
  state.nowMs += 2 * epochMs;
  expect(leased.decideByLeases(refsOf('a'))).toBeUndefined();
});

test('unspent tokens are returned when the lease is due and its bucket no longer in demand', async () => {
  const { state, leased, remainingOf } = await withLeases();
  state.nowMs = leased.nextDueMs!;
  const before = remainingOf('publisher');
  for (let i = 0; i < 4 && leased.nextDueMs !== undefined; i++) {
    state.nowMs = Math.max(state.nowMs, leased.nextDueMs);
    await leased.decideAll([], limits.global);
  }
  expect(leased.nextDueMs).toBeUndefined();
  expect(remainingOf('publisher')).toBeGreaterThan(before);
  expect(remainingOf('publisher')).toBeLessThanOrEqual(limits.publisher);
});

test('a rejected request gives the tokens of its other buckets back', async () => {
  const { state, leased, decide, refsOf } = await withLeases();
  const exhausted = [{ ...refsOf('b')[0]!, limit: 1 }, ...refsOf('b').slice(1)];
  await leased.decideAll([exhausted], limits.global);
  const rejected = await leased.decideAll(
    Array.from({ length: 200 }, () => exhausted),
    limits.global,
  );
  expect(rejected.every(({ decision }) => isRejection(decision))).toBe(true);
  const calls = state.calls;
  await decide('a');
  expect(state.calls).toBe(calls); // the leases of its publisher and of all requests are not used up
});

test('the tightest bucket is reported, leased or not', async () => {
  const { decide, state } = await withLeases({ ip: 100, publisher: 60, global: 10_000 });
  const calls = state.calls;
  const decision = decodeDecision(await decide('new'));
  expect(state.calls).toBe(calls + 1);
  expect(decision).toMatchObject({ admitted: true, kind: 'publisher' });
});

test('while calls are slow, no leases are requested: they could not be returned in time', async () => {
  const { state, leased, decide } = await withLeases();
  state.latencyMs = 21;
  state.nowMs += 2 * epochMs;
  await decide('a');
  for (let i = 0; i < 5; i++) {
    state.nowMs += 10;
    await decide('a');
    expect(leased.nextDueMs === undefined || i === 0).toBe(true);
  }
});

test('without leases after they were dropped, every request is decided by a call', async () => {
  const { state, leased, decide } = await withLeases();
  leased.clear();
  const calls = state.calls;
  await decide('a');
  expect(state.calls).toBe(calls + 1);
  expect(leased.nextDueMs).toBeUndefined();
});

test('a lease ends by the clock of its own bucket, if buckets have several clocks', async () => {
  const nowMicros = 1_794_700_000_000_000;
  const leased = new LeasedBuckets({
    buckets: {
      decideAll: async ({ requests, leases }) => ({
        nowMicros,
        decisions: requests.filter((_, at) => at % 4 === 0).map(() => 1),
        grants: leases.filter((_, at) => at % 5 === 0).flatMap(() => [1, 10_000]),
        grantClocks: leases.filter((_, at) => at % 5 === 0).map((_, at) => nowMicros + at * 60_000),
      }),
      probe: async () => {},
      timeoutMs: 400,
    },
    clocks: { nowMs: () => state.nowMs, nowMicros: () => 0 },
    onCall: () => {},
  });
  const state = { nowMs: 0 };
  const refs = new BucketResolver(limits).resolve({ ip: 'a', publisher: undefined });
  for (const nowMs of [0, 50, 100]) {
    state.nowMs = nowMs;
    leased.decideByLeases(refs);
  }
  await leased.decideAll([refs], limits.global);
  // The second lease was granted 60 ms into its epoch: it ends 140 ms after the call, less 20 ms for its return.
  expect(leased.nextDueMs).toBe(100 + 120);
});
