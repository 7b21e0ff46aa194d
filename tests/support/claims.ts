/** Claims of a few clients and publishers, so that buckets are shared and run out. */
import fc from 'fast-check';
import type { Claim } from '../../src/limits/limiter.ts';

export const anyClaim: fc.Arbitrary<Claim> = fc.record({
  ip: fc.constantFrom('203.0.113.1', '203.0.113.2', '2001:db8::/56'),
  publisher: fc.constantFrom('pub-1', 'pub-2', undefined),
});

export const anyLimits = fc.record({
  ip: fc.integer({ min: 1, max: 12 }),
  publisher: fc.integer({ min: 1, max: 12 }),
  global: fc.integer({ min: 1, max: 20 }),
});
