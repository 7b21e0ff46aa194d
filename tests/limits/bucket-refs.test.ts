/** The buckets of a request: their names, their limits, own limits and the share that is reserved. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BucketResolver, unreservedLimit } from '../../src/limits/bucket-refs.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';

const limits: Limits = { ip: 100, publisher: 1_000, global: 10_000 };
const reserving: Limits = { ...limits, reservedShare: 0.3 };
const keys: RateLimitKeys = { ip: '203.0.113.1', publisher: 'pub-1' };

const bucketsOf = (keys: RateLimitKeys, of = limits, workers = 1) =>
  new BucketResolver(of, workers).resolve(keys).map(({ name, limit }) => `${name} ${limit}`);

test('one bucket per scope; the publisher scope is skipped without an id', () => {
  expect(bucketsOf(keys)).toEqual(['i:203.0.113.1 100', 'p:pub-1 1000', 'g 10000']);
  expect(bucketsOf({ ...keys, publisher: undefined })).toEqual(['i:203.0.113.1 100', 'g 10000']);
});

test('a publisher id over 64 characters is hashed', () => {
  const nameOf = (publisher: string) => new BucketResolver(limits).resolve({ ...keys, publisher })[1]!.name;
  expect(nameOf('p'.repeat(64))).toBe(`p:${'p'.repeat(64)}`);
  expect(nameOf('p'.repeat(65))).toMatch(/^h:[\w-]{43}$/);
});

test('the hash of a publisher id is another publisher: whoever sends it does not use up the tokens of the first', () => {
  const nameOf = (publisher: string) => new BucketResolver(limits).resolve({ ...keys, publisher })[1]!.name;
  const longId = 'p'.repeat(65);
  const hash = createHash('sha256').update(longId).digest('base64url');
  expect(nameOf(hash)).not.toBe(nameOf(longId));
});

test('own limits replace the defaults, and an exempt address has no bucket', () => {
  const withOverrides = (overrides: RateLimitKeys['overrides']) => bucketsOf({ ...keys, overrides: overrides! });
  expect(withOverrides({ ip: 500 })).toEqual(['i500:203.0.113.1 500', 'p:pub-1 1000', 'g 10000']);
  expect(withOverrides({ publisher: 50 })).toEqual(['i:203.0.113.1 100', 'p50:pub-1 50', 'g 10000']);
  expect(withOverrides({ ip: 'exempt', publisher: 1_000_000 })).toEqual(['p1000000:pub-1 1000000', 'g 10000']);
});

test('no id of a caller makes the name of a bucket with an own limit', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 70 }), fc.integer({ min: 1, max: 1_000_000 }), (id, limit) => {
      const own = new BucketResolver(limits).resolve({ ...keys, overrides: { publisher: limit } })[1]!.name;
      expect(new BucketResolver(limits).resolve({ ...keys, publisher: id })[1]!.name).not.toBe(own);
    }),
  );
});

test('with a reserved share, only requests with `reserved` are not charged to the unreserved bucket', () => {
  expect(bucketsOf(keys, reserving)).toEqual(['i:203.0.113.1 100', 'p:pub-1 1000', 'u 7000', 'g 10000']);
  expect(bucketsOf({ ...keys, overrides: { reserved: true } }, reserving)).toEqual([
    'i:203.0.113.1 100',
    'p:pub-1 1000',
    'g 10000',
  ]);
  expect(bucketsOf(keys, { ...limits, reservedShare: 0 })).toHaveLength(3);
});

test.each([
  [10_000, 0.9, 1_000],
  [10_000, 0.07, 9_300],
  [10, 0.25, 7],
  [1, 0.5, 1],
  [1_000_000, 0.999_999, 1],
])('of %i tokens with the share %d reserved, %i are unreserved', (global, share, expected) => {
  expect(unreservedLimit(global, share)).toBe(expected);
});

test('in degraded mode every limit is divided by the workers, own limits too; the names stay', () => {
  const overrides = { ip: 500, publisher: 50 };
  expect(bucketsOf({ ...keys, overrides }, reserving, 4)).toEqual([
    'i500:203.0.113.1 125',
    'p50:pub-1 12',
    'u 1750',
    'g 2500',
  ]);
});

test('the shares of all workers never exceed the limit, as long as there is a token per worker', () => {
  for (const workers of [1, 2, 3, 7, 16]) {
    for (const { limit, kind } of new BucketResolver(limits, workers).resolve(keys)) {
      expect(limit * workers).toBeLessThanOrEqual(limits[kind as 'ip']);
    }
  }
  expect(bucketsOf(keys, { ip: 3, publisher: 3, global: 3 }, 8)).toEqual(['i:203.0.113.1 1', 'p:pub-1 1', 'g 1']);
});
