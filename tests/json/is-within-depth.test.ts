/** The nesting of parsed JSON is measured exactly, and without recursion beyond the limit. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isWithinDepth } from '../../src/json/is-within-depth.ts';
import { numRuns } from '../support/num-runs.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('a value is within its own depth and within no smaller one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const depth = depthOf(value);
      expect(isWithinDepth(depth, value)).toBe(true);
      if (depth > 0) expect(isWithinDepth(depth - 1, value)).toBe(false);
    }),
    { numRuns: numRuns(1_000) },
  );
});

test('a value nested 100,000 levels deep does not overflow the stack', () => {
  expect(isWithinDepth(64, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe(false);
  expect(isWithinDepth(64, JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`))).toBe(false);
});
