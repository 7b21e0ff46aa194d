/** The rate limiter of a worker: batches, the over-limit cache and degraded mode. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';
import { createFakeLimiter, keysOf, unavailable } from '../support/fake-limiter.ts';

const keys = keysOf('203.0.113.1');

let open: SharedRateLimiter | undefined;
afterEach(() => {
  open?.close();
  jest.useRealTimers();
});

function create(...args: Parameters<typeof createFakeLimiter>) {
  const parts = createFakeLimiter(...args);
  open = parts.limiter;
  return parts;
}

const useFakeTimers = () =>
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });

describe('batches', () => {
  test('the requests of one event-loop turn are decided by one call', async () => {
    const { limiter, buckets } = create();
    await Promise.all([limiter.decide(keys), limiter.decide(keys), limiter.decide(keys)]);
    expect(buckets.batches.map((batch) => batch.length)).toEqual([3]);
  });

  test('one call is in flight at a time; requests that arrive meanwhile join the next', async () => {
    const { limiter, buckets } = create();
    buckets.hold();
    const first = limiter.decide(keysOf('a'));
    await nextTurn();
    const later = [limiter.decide(keysOf('b')), limiter.decide(keysOf('c'))];
    await nextTurn();
    expect(buckets.batches).toHaveLength(1);
    buckets.release();
    await Promise.all([first, ...later]);
    expect(buckets.batches).toEqual([['i:a'], ['i:b', 'i:c']]);
  });

  test('a call carries at most 250 requests', async () => {
    const { limiter, buckets } = create();
    await Promise.all(Array.from({ length: 600 }, (_, i) => limiter.decide(keysOf(String(i)))));
    expect(buckets.batches.map((batch) => batch.length)).toEqual([250, 250, 100]);
  });

  test('degraded mode decides any number of waiting requests at once', async () => {
    const { limiter, buckets } = create();
    buckets.failure = unavailable();
    await limiter.decide(keys);
    let turns = 0;
    const decided = Promise.all(Array.from({ length: 400 }, (_, i) => limiter.decide(keysOf(String(i)))));
    void nextTurn().then(() => turns++);
    void nextTurn()
      .then(() => nextTurn())
      .then(() => turns++);
    expect(await decided).toHaveLength(400);
    expect(turns).toBeLessThanOrEqual(1);
  });

  test('each request gets its own result', async () => {
    const { limiter } = create();
    const results = await Promise.all(Array.from({ length: 6 }, () => limiter.decide(keys)));
    expect(results.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
  });

  test('the duration of each call is reported, also of one that fails', async () => {
    const { limiter, buckets, durationsMs } = create();
    buckets.onDecided = () => (buckets.nowMs += 7);
    await limiter.decide(keys);
    buckets.failure = unavailable();
    await limiter.decide(keys);
    await limiter.decide(keys); // degraded: no call
    expect(durationsMs).toEqual([7, 0]);
  });
});

describe('rejections', () => {
  async function withEmptyBucket() {
    const parts = create();
    await Promise.all(Array.from({ length: 5 }, () => parts.limiter.decide(keys)));
    parts.buckets.batches.length = 0;
    return parts;
  }

  test('are cached: the next request makes no call', async () => {
    const { limiter, buckets } = await withEmptyBucket();
    expect(limiter.cachedRejection(keys)).toMatchObject({ admitted: false, scope: 'ip', remaining: 0 });
    expect(await limiter.decide(keys)).toMatchObject({ admitted: false });
    expect(buckets.batches).toEqual([]);
  });

  test('expire at the moment the bucket has a token again', async () => {
    const { limiter, buckets } = await withEmptyBucket();
    buckets.nowMs += 249;
    expect(limiter.cachedRejection(keys)).toBeDefined();
    buckets.nowMs += 1;
    expect(limiter.cachedRejection(keys)).toBeUndefined();
    expect(await limiter.decide(keys)).toMatchObject({ admitted: true });
  });

  test('expire relative to when the call was sent, so a slow response does not extend them', async () => {
    const { limiter, buckets } = create();
    await Promise.all(Array.from({ length: 4 }, () => limiter.decide(keys)));
    const sentAt = buckets.nowMs;
    buckets.onDecided = () => {
      buckets.nowMs = sentAt + 200; // the response takes 200 of the 250 ms until the next token
    };
    expect(await limiter.decide(keys)).toMatchObject({ admitted: false });
    expect(limiter.cachedRejection(keys)).toBeDefined();
    buckets.nowMs = sentAt + 250;
    expect(limiter.cachedRejection(keys)).toBeUndefined();
  });

  test('of one client do not affect another', async () => {
    const { limiter } = await withEmptyBucket();
    expect(limiter.cachedRejection(keysOf('203.0.113.2'))).toBeUndefined();
  });
});

describe('while the shared buckets are unavailable', () => {
  async function createDegraded(workers = 2) {
    const parts = create(workers);
    parts.buckets.failure = unavailable();
    return { ...parts, first: await parts.limiter.decide(keys) };
  }

  test('the worker enforces its share of each limit', async () => {
    const { limiter, first } = await createDegraded(2);
    expect(first).toMatchObject({ admitted: true, limit: 2, remaining: 1 });
    expect(await limiter.decide(keys)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await limiter.decide(keys)).toMatchObject({ admitted: false, scope: 'ip', limit: 2 });
    expect(limiter.cachedRejection(keys)).toMatchObject({ admitted: false, scope: 'ip', limit: 2 });
  });

  test('the requests of one event-loop turn are decided together, after that turn', async () => {
    const { limiter } = await createDegraded();
    const decided: string[] = [];
    const decide = async (ip: string) => {
      await limiter.decide(keysOf(ip));
      decided.push(ip);
    };
    const all = [decide('a'), decide('b')];
    await Promise.resolve().then(() => all.push(decide('c')));
    expect(decided).toEqual([]);
    await nextTurn();
    expect(decided).toEqual(['a', 'b', 'c']);
    await Promise.all(all);
  });

  test('all waiting requests are decided by the share, without another call', async () => {
    const { limiter, buckets } = create();
    buckets.hold();
    const first = limiter.decide(keysOf('first'));
    await nextTurn();
    const waiting = Array.from({ length: 300 }, (_, i) => limiter.decide(keysOf(String(i))));
    buckets.failure = unavailable();
    buckets.release();
    expect((await Promise.all([first, ...waiting])).every(({ admitted }) => admitted)).toBe(true);
    expect(buckets.batches.map((batch) => batch.length)).toEqual([1]);
  });

  test('a response with too few decisions counts as unavailable', async () => {
    const { limiter, buckets, modes } = create(2);
    buckets.decideAll = async () => ({ nowMicros: 0, decisions: [], grants: [] });
    expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 2 });
    expect(modes).toEqual(['degraded']);
  });

  test('a rejection by the share does not outlast the outage', async () => {
    useFakeTimers();
    const { limiter, buckets } = await createDegraded(4);
    expect(await limiter.decide(keys)).toMatchObject({ admitted: false, limit: 1 });
    buckets.failure = undefined;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 4 });
  });

  test('the outage is detected without traffic, too', async () => {
    useFakeTimers();
    const { buckets, modes } = create();
    buckets.failure = unavailable();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(modes).toEqual(['degraded']);
  });

  test('no further calls are made, and the change of mode is reported once', async () => {
    const { limiter, buckets, modes } = await createDegraded();
    buckets.batches.length = 0;
    await Promise.all(Array.from({ length: 10 }, (_, i) => limiter.decide(keysOf(String(i)))));
    expect(buckets.batches).toEqual([]);
    expect(modes).toEqual(['degraded']);
  });

  test('shares follow the number of workers on all machines', async () => {
    const { limiter } = await createDegraded(2);
    limiter.setLimitDivisor(4);
    expect(await limiter.decide(keysOf('203.0.113.9'))).toMatchObject({ limit: 1 });
  });

  test('a cached rejection ends when the share rises', async () => {
    const { limiter, buckets } = await createDegraded(4);
    expect(await limiter.decide(keys)).toMatchObject({ admitted: false, limit: 1 });
    buckets.nowMs += 500; // by the share of one of four workers, the next token is due after 1 s
    expect(limiter.cachedRejection(keys)).toBeDefined();
    limiter.setLimitDivisor(2);
    expect(limiter.cachedRejection(keys)).toBeUndefined();
    expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 2 });
  });

  test('a successful probe ends degraded mode', async () => {
    useFakeTimers();
    const { limiter, buckets, modes } = await createDegraded();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(modes).toEqual(['degraded']);
    buckets.failure = undefined;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(modes).toEqual(['degraded', 'redis']);
    expect(await limiter.decide(keysOf('203.0.113.9'))).toMatchObject({ limit: 4, remaining: 3 });
  });
});

test('a rejection by the share beside available buckets is not cached', async () => {
  const { limiter, buckets } = create(2);
  buckets.undecided = true;
  buckets.onDecided = () => (buckets.nowMs += buckets.timeoutMs);
  const results = await Promise.all(Array.from({ length: 3 }, () => limiter.decide(keys)));
  expect(results.map(({ admitted, limit }) => [admitted, limit])).toEqual([
    [true, 2],
    [true, 2],
    [false, 2],
  ]);
  expect(limiter.cachedRejection(keys)).toBeUndefined();
  buckets.undecided = false;
  expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 4 });
});

describe('a rejection by the unreserved bucket', () => {
  const reserving = { ip: 100, publisher: 100, global: 4, reservedShare: 0.5 };

  test('is cached, but does not count before the publisher is known', async () => {
    const { limiter, buckets } = create(2, () => {}, reserving);
    await Promise.all(Array.from({ length: 3 }, () => limiter.decide(keys)));
    buckets.batches.length = 0;
    expect(await limiter.decide(keys)).toMatchObject({ admitted: false, scope: 'global', limit: 2 });
    expect(buckets.batches).toEqual([]);
    expect(limiter.cachedRejection(keys)).toBeUndefined();
    expect(await limiter.decide({ ...keys, overrides: { reserved: true } })).toMatchObject({
      admitted: true,
      limit: 4,
    });
  });
});

test('in degraded mode own limits are divided, too', async () => {
  const { limiter, buckets } = create(2);
  buckets.failure = unavailable();
  expect(await limiter.decide({ ...keys, overrides: { ip: 10 } })).toMatchObject({ limit: 5, remaining: 4 });
  expect(await limiter.decide({ ...keys, overrides: { ip: 'exempt' } })).toMatchObject({ scope: 'global', limit: 500 });
});
