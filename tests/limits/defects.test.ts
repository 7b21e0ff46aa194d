/** A defect in the path of a batch rejects the requests of that batch, is not taken for an outage, and stops nothing else. */
import { afterEach, expect, jest, test } from '@jest/globals';
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

const defect = new TypeError('a defect');

test('a defect in the call rejects the requests of that batch only, and does not change the mode', async () => {
  const { limiter, buckets, modes } = create();
  buckets.hold();
  const failing = Promise.allSettled([limiter.decide(keysOf('a')), limiter.decide(keysOf('b'))]);
  await nextTurn();
  const waiting = limiter.decide(keysOf('c'));
  buckets.nextFailure = defect;
  buckets.release();
  expect(await failing).toEqual([
    { status: 'rejected', reason: defect },
    { status: 'rejected', reason: defect },
  ]);
  expect(await waiting).toMatchObject({ admitted: true, limit: 4 });
  expect(await limiter.decide(keysOf('d'))).toMatchObject({ admitted: true, limit: 4 });
  expect(modes).toEqual([]);
});

test('a defect in the degraded path rejects its batch; the next request gets a result', async () => {
  const { limiter, buckets } = create();
  buckets.failure = unavailable();
  await limiter.decide(keys);
  const broken = {
    ip: 'a',
    get publisher(): string {
      throw defect;
    },
  };
  await expect(limiter.decide(broken)).rejects.toBe(defect);
  expect(await limiter.decide(keysOf('b'))).toMatchObject({ admitted: true, limit: 2 });
});

test('a defect in the report of a mode change rejects the batch; the limiter is degraded and recovers', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  const { limiter, buckets, modes } = create(2, (mode) => {
    if (mode === 'degraded') throw defect;
  });
  buckets.failure = unavailable();
  await expect(limiter.decide(keys)).rejects.toBe(defect);
  expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 2 });
  buckets.failure = undefined;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(modes).toEqual(['degraded', 'redis']);
  expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 4 });
});
