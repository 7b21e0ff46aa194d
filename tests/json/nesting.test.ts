/** The nesting of JSON text is measured like that of its value, whatever its strings contain. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isWithinDepth } from '../../src/json/is-within-depth.ts';
import { smallJsonLength, spendJsonBudget } from '../../src/json/json-budget.ts';
import { maxDepth, parseJson, tooDeep } from '../../src/json/parse-json.ts';
import { numRuns } from '../support/num-runs.ts';

const brackets = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') });
const nested = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, brackets, fc.array(tie('value')), fc.dictionary(brackets, tie('value'))),
})).value;

test('text exceeds a depth exactly if its value does', () => {
  fc.assert(
    fc.property(nested, fc.nat(6), fc.constantFrom(undefined, 2), (value, depth, indent) => {
      const budget = {
        maxDepth: depth,
        containers: Infinity,
        values: Infinity,
        names: new Map<string, number>(),
        shapes: new Set<number>(),
        exponents: Infinity,
        maxNames: Infinity,
      };
      const excess = spendJsonBudget(JSON.stringify(value, undefined, indent), budget);
      expect(excess).toBe(isWithinDepth(depth, value) ? undefined : 'depth');
    }),
    { numRuns: numRuns(2_000) },
  );
});

test.each([
  ['arrays', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
  ['objects', (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`],
])('%s may be nested 64 levels deep, in short and in long text', (_what, nest) => {
  for (const padding of ['', ' '.repeat(smallJsonLength)]) {
    expect(parseJson(nest(maxDepth) + padding)).not.toBe(tooDeep);
    expect(parseJson(nest(maxDepth + 1) + padding)).toBe(tooDeep);
  }
  expect(parseJson(nest(100_000))).toBe(tooDeep);
});
