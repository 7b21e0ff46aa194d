/** A store of buckets that responds, but slowly: requests wait for a bounded time, and then no more. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFakeLimiter, keysOf } from '../support/fake-limiter.ts';

let parts: ReturnType<typeof createFakeLimiter>;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  parts = createFakeLimiter();
});
afterEach(() => {
  parts.limiter.close();
  jest.useRealTimers();
});

/** One request after another, each from an address of its own. */
async function send(count: number, callMs: number): Promise<void> {
  const { buckets, limiter } = parts;
  buckets.onDecided = () => (buckets.nowMs += callMs);
  for (let index = 0; index < count; index++) await limiter.decide(keysOf(`${buckets.nowMs}-${index}`));
}

/** The probes of so many milliseconds. */
async function probeFor(durationMs: number): Promise<void> {
  const { buckets, limiter } = parts;
  for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs += 500) {
    buckets.nowMs += 500;
    await limiter.probe();
  }
}

describe('a request that has waited for the call before its own', () => {
  async function waitFor(waitMs: number): Promise<void> {
    const { buckets, limiter } = parts;
    buckets.hold();
    const first = limiter.decide(keysOf('a'));
    await nextTurn();
    const second = limiter.decide(keysOf('b'));
    await nextTurn();
    buckets.nowMs += waitMs;
    buckets.release();
    await Promise.all([first, second]);
  }

  test('has what is left of the time for a call', async () => {
    await waitFor(150);
    expect(parts.buckets.timeoutsMs).toEqual([400, 250]);
  });

  test('has at least 20 ms', async () => {
    await waitFor(399);
    expect(parts.buckets.timeoutsMs).toEqual([400, 20]);
  });

  test('is decided by the share of the worker if nothing is left', async () => {
    const { buckets, limiter } = parts;
    buckets.hold();
    void limiter.decide(keysOf('a'));
    await nextTurn();
    const second = limiter.decide(keysOf('b'));
    buckets.nowMs += 400; // it waits for its turn of the event loop meanwhile
    expect(await second).toMatchObject({ limit: 2 });
    buckets.release();
  });
});

describe('slow calls', () => {
  test('for a second switch the worker to degraded mode, in which no request waits', async () => {
    await send(9, 101);
    expect(parts.modes).toEqual([]);
    await send(1, 101);
    expect(parts.modes).toEqual(['degraded']);
    const calls = parts.buckets.batches.length;
    await send(5, 101);
    expect(parts.buckets.batches).toHaveLength(calls);
  });

  test('do not, if one of them is fast', async () => {
    await send(9, 101);
    await send(1, 100);
    await send(9, 101);
    expect(parts.modes).toEqual([]);
  });

  test('do not, if there are only two in a second', async () => {
    await send(1, 101);
    parts.buckets.nowMs += 2_000;
    await send(1, 101);
    expect(parts.modes).toEqual([]);
  });

  test('end degraded mode no sooner than after 5 s of fast probes', async () => {
    await send(10, 101);
    await probeFor(4_500);
    expect(parts.modes).toEqual(['degraded']);
    await probeFor(500);
    expect(parts.modes).toEqual(['degraded', 'redis']);
  });

  test('of probes keep the worker in degraded mode', async () => {
    await send(10, 101);
    parts.buckets.probeMs = 51;
    await probeFor(60_000);
    expect(parts.modes).toEqual(['degraded']);
    parts.buckets.probeMs = 50;
    await probeFor(500);
    expect(parts.modes).toEqual(['degraded', 'redis']);
  });
});
