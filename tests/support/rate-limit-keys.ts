/** Arbitrary keys of few clients and publishers, so that requests share buckets and the buckets run empty. */
import fc from 'fast-check';
import type { RateLimitKeys } from '../../src/limits/rate-limiter.ts';

export const anyKeys: fc.Arbitrary<RateLimitKeys> = fc.record({
  ip: fc.constantFrom('203.0.113.1', '203.0.113.2', '2001:db8::/56'),
  publisher: fc.constantFrom('pub-1', 'pub-2', undefined),
});

const anyOwnLimit = fc.constantFrom(1, 3, 7, 1_000_000);

/** Addresses and publishers with and without own limits; some addresses are exempt, some publishers have a reserved share. */
export const anyKeysWithOwn: fc.Arbitrary<RateLimitKeys> = fc.record(
  {
    ip: fc.constantFrom('203.0.113.1', '203.0.113.2'),
    publisher: fc.constantFrom('pub-1', 'pub-2', undefined),
    overrides: fc.record(
      {
        ip: fc.oneof(anyOwnLimit, fc.constant('exempt' as const)),
        publisher: anyOwnLimit,
        reserved: fc.constant(true as const),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['ip', 'publisher'] },
);

export const anyReservedShare = fc.constantFrom(0, 0.1, 0.5, 0.9);

/** Mostly low, so that buckets run empty; also the highest that can be configured. */
const limitUpTo = (low: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: low }) }, fc.constantFrom(999_999, 1_000_000));

export const anyLimits = fc.record({
  ip: limitUpTo(12),
  publisher: limitUpTo(12),
  global: limitUpTo(20),
});
