/** The cache of rejections: exact expiry, one entry per bucket, bounded memory. */
import { expect, test } from '@jest/globals';
import { OverLimitCache } from '../../src/limits/over-limit-cache.ts';
import type { RateLimitResult, Scope } from '../../src/limits/rate-limiter.ts';

const rejectionOf = (scope: Scope): RateLimitResult => ({
  admitted: false,
  scope,
  limit: 4,
  remaining: 0,
  resetAtMs: 0,
});
const keysOf = (ip: string, publisher?: string) => ({ ip, publisher });

test('an entry expires exactly at its time', () => {
  let nowMs = 0;
  const cache = new OverLimitCache(() => nowMs);
  cache.add(keysOf('a'), rejectionOf('ip'), 10.5);
  nowMs = 10.4;
  expect(cache.get(keysOf('a'))).toEqual(rejectionOf('ip'));
  nowMs = 10.5;
  expect(cache.get(keysOf('a'))).toBeUndefined();
});

test.each<[Scope, boolean, boolean]>([
  ['ip', true, false],
  ['publisher', false, true],
  ['global', true, true],
])('a rejection by scope %s applies to all requests of that bucket', (scope, sameIp, samePublisher) => {
  const cache = new OverLimitCache(() => 0);
  cache.add(keysOf('a', 'pub-1'), rejectionOf(scope), 1);
  expect(cache.get(keysOf('a', 'pub-1')) !== undefined).toBe(true);
  expect(cache.get(keysOf('a', 'pub-2')) !== undefined).toBe(sameIp);
  expect(cache.get(keysOf('b', 'pub-1')) !== undefined).toBe(samePublisher);
  expect(cache.get(keysOf('b')) !== undefined).toBe(scope === 'global');
});

test('when the cache is full, the least recently used entry is evicted, not all of them', () => {
  const cache = new OverLimitCache(() => 0);
  const add = (ip: string) => cache.add(keysOf(ip), rejectionOf('ip'), 1);
  add('abusive');
  for (let client = 0; client < 20_000; client++) {
    add(`once ${client}`);
    expect(cache.get(keysOf('abusive'))).toBeDefined();
  }
  expect(cache.get(keysOf('once 0'))).toBeUndefined();
  expect(cache.get(keysOf('once 19999'))).toBeDefined();
});
