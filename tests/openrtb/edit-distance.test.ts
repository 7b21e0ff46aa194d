/** The distance up to a bound equals the distance as it is defined. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { editDistance } from '../../src/openrtb/edit-distance.ts';
import { numRuns } from '../support/num-runs.ts';

/** By the definition, whatever it costs. */
function defined(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const options = [
    defined(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    defined(a.slice(1), b) + 1,
    defined(a, b.slice(1)) + 1,
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) options.push(defined(a.slice(2), b.slice(2)) + 1);
  return Math.min(...options);
}

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

test('it is exact up to the bound, and above the bound where the distance is', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.integer({ min: 0, max: 4 }), (a, b, max) => {
      const expected = defined(a, b);
      const distance = editDistance(a, b, max);
      if (expected <= max) expect(distance).toBe(expected);
      else expect(distance).toBeGreaterThan(max);
    }),
    { numRuns: numRuns(2_000) },
  );
});

test.each([
  ['service', 'service', 0],
  ['servcie', 'service', 1],
  ['srvice', 'service', 1],
  ['services', 'service', 1],
  ['service_product_serach', 'service_product_search', 1],
])('from %s to %s it is %d', (a, b, expected) => {
  expect(editDistance(a, b, 2)).toBe(expected);
});
