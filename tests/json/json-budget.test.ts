/** The structure of JSON text, counted before it is parsed. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type JsonBudget, spendJsonBudget } from '../../src/json/json-budget.ts';
import { numRuns } from '../support/num-runs.ts';

const budgetOf = (over: Partial<JsonBudget> = {}): JsonBudget => ({
  maxDepth: 100,
  objects: 1_000_000,
  values: 1_000_000,
  ...over,
});

function structureOf(value: unknown): { depth: number; objects: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, objects: 0, values: 0 };
  const members = Object.values(value).map(structureOf);
  const sum = (name: 'objects' | 'values') => members.reduce((total, member) => total + member[name], 0);
  return {
    depth: 1 + Math.max(0, ...members.map(({ depth }) => depth)),
    objects: sum('objects') + (Array.isArray(value) ? 0 : 1),
    values: sum('values') + 1 + Math.max(0, members.length - 1),
  };
}

test('every object, array and comma is counted, whatever the strings contain', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: fc.constantFrom('{', '}', '[', ']', ',', '"', '\\', 'a', '😀') }),
      (value) => {
        const { depth, objects, values } = structureOf(value);
        const text = JSON.stringify(value);
        const budget = budgetOf({ maxDepth: depth });
        expect(spendJsonBudget(text, budget)).toBe(true);
        expect(budget).toEqual(budgetOf({ maxDepth: depth, objects: 1_000_000 - objects, values: 1_000_000 - values }));
        if (depth > 0) expect(spendJsonBudget(text, budgetOf({ maxDepth: depth - 1 }))).toBe(false);
        if (objects > 0) expect(spendJsonBudget(text, budgetOf({ objects: objects - 1 }))).toBe(false);
        if (values > 0) expect(spendJsonBudget(text, budgetOf({ values: values - 1 }))).toBe(false);
      },
    ),
    { numRuns: numRuns(2_000) },
  );
});

describe('text that is not JSON', () => {
  test.each(['', '"', '"\\', ']]]]{', '"\\"', ',,,', '\\"{'])('is counted without an error: %j', (text) => {
    expect(spendJsonBudget(text, budgetOf())).toBe(true);
  });

  test('is read only until the budget is spent', () => {
    const budget = budgetOf({ values: 10 });
    expect(spendJsonBudget(','.repeat(1_000_000), budget)).toBe(false);
    expect(budget.values).toBe(-1);
  });
});
