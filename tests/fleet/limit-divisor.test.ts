/** In degraded mode, the ready workers of a machine share its part of the limits. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limitDivisor } from '../../src/fleet/limit-divisor.ts';
import { perWorkerLimits } from '../../src/limits/bucket-refs.ts';
import { numRuns } from '../support/num-runs.ts';

test.each([
  { when: 'all workers of the only machine are ready', total: 4, ready: 4, size: 4, divisor: 4 },
  { when: 'one of them is missing: the other three share its part', total: 4, ready: 3, size: 4, divisor: 3 },
  {
    when: 'one of two machines has lost one of its two workers: the other one has both parts',
    total: 4,
    ready: 1,
    size: 2,
    divisor: 2,
  },
  {
    when: 'a rolling restart has one worker more: it takes over the part of the worker that drains',
    total: 4,
    ready: 5,
    size: 4,
    divisor: 4,
  },
  { when: 'none is ready: the first one that is has the part of its machine', total: 4, ready: 0, size: 2, divisor: 2 },
])('$when', ({ total, ready, size, divisor }) => {
  expect(limitDivisor(total, ready, size)).toBe(divisor);
});

const machines = fc.array(
  fc
    .integer({ min: 1, max: 16 })
    .chain((size) => fc.record({ size: fc.constant(size), ready: fc.integer({ min: 0, max: size }) })),
  { minLength: 1, maxLength: 8 },
);

test('property: whichever workers are missing, the shares of all machines never exceed a limit of one token per worker or more', () => {
  fc.assert(
    fc.property(machines, fc.integer({ min: 128, max: 100_000 }), (fleet, limit) => {
      const total = fleet.reduce((sum, { size }) => sum + size, 0);
      const shares = fleet.map(({ ready, size }) => ready * perWorkerLimits(limit, limitDivisor(total, ready, size)));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: numRuns(500) },
  );
});
