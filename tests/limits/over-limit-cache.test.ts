/** The cache of rejections: exact expiry, one entry per bucket, bounded memory. */
import { expect, test } from '@jest/globals';
import { BucketResolver } from '../../src/limits/bucket-refs.ts';
import { OverLimitCache } from '../../src/limits/over-limit-cache.ts';
import type { RateLimitResult, Scope } from '../../src/limits/rate-limiter.ts';

const rejectionOf = (scope: Scope): RateLimitResult => ({
  admitted: false,
  scope,
  limit: 4,
  remaining: 0,
  resetAtMs: 0,
});
const resolver = new BucketResolver({ ip: 4, publisher: 4, global: 4 });
const refsOf = (ip: string, publisher?: string) => resolver.resolve({ ip, publisher });
const refOf = (scope: Scope, ip: string, publisher?: string) =>
  refsOf(ip, publisher).find(({ kind }) => kind === scope)!;

test('an entry expires exactly at its time', () => {
  let nowMs = 0;
  const cache = new OverLimitCache(() => nowMs);
  cache.add(refOf('ip', 'a'), rejectionOf('ip'), 10.5);
  nowMs = 10.4;
  expect(cache.get(refsOf('a'))).toEqual(rejectionOf('ip'));
  nowMs = 10.5;
  expect(cache.get(refsOf('a'))).toBeUndefined();
});

test.each<[Scope, boolean, boolean]>([
  ['ip', true, false],
  ['publisher', false, true],
  ['global', true, true],
])('a rejection by scope %s applies to all requests of that bucket', (scope, sameIp, samePublisher) => {
  const cache = new OverLimitCache(() => 0);
  cache.add(refOf(scope, 'a', 'pub-1'), rejectionOf(scope), 1);
  expect(cache.get(refsOf('a', 'pub-1')) !== undefined).toBe(true);
  expect(cache.get(refsOf('a', 'pub-2')) !== undefined).toBe(sameIp);
  expect(cache.get(refsOf('b', 'pub-1')) !== undefined).toBe(samePublisher);
  expect(cache.get(refsOf('b')) !== undefined).toBe(scope === 'global');
});

test('when the cache is full, the least recently used entry is evicted, not all of them', () => {
  const cache = new OverLimitCache(() => 0);
  const add = (ip: string) => cache.add(refOf('ip', ip), rejectionOf('ip'), 1);
  add('abusive');
  for (let client = 0; client < 20_000; client++) {
    add(`once ${client}`);
    expect(cache.get(refsOf('abusive'))).toBeDefined();
  }
  expect(cache.get(refsOf('once 0'))).toBeUndefined();
  expect(cache.get(refsOf('once 19999'))).toBeDefined();
});
