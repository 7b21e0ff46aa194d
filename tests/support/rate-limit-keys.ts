/** Arbitrary keys of few clients and publishers, so that requests share buckets and the buckets run empty. */
import fc from 'fast-check';
import type { RateLimitKeys } from '../../src/limits/rate-limiter.ts';

export const anyKeys: fc.Arbitrary<RateLimitKeys> = fc.record({
  ip: fc.constantFrom('203.0.113.1', '203.0.113.2', '2001:db8::/56'),
  publisher: fc.constantFrom('pub-1', 'pub-2', undefined),
});

/** Mostly low, so that buckets run empty; also the highest that can be configured. */
const limitUpTo = (low: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: low }) }, fc.constantFrom(999_999, 1_000_000));

export const anyLimits = fc.record({
  ip: limitUpTo(12),
  publisher: limitUpTo(12),
  global: limitUpTo(20),
});
