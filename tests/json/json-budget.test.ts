/** The structure of JSON text, counted before it is parsed. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type JsonBudget, maxNames, spendJsonBudget } from '../../src/json/json-budget.ts';
import { numRuns } from '../support/num-runs.ts';

const budgetOf = (over: Partial<JsonBudget> = {}): JsonBudget => ({
  maxDepth: 100,
  containers: 1_000_000,
  values: 1_000_000,
  names: new Set(),
  maxNames,
  ...over,
});

function structureOf(value: unknown): { depth: number; containers: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, containers: 0, values: 0 };
  const members = Object.values(value).map(structureOf);
  const sum = (name: 'containers' | 'values') => members.reduce((total, member) => total + member[name], 0);
  return {
    depth: 1 + Math.max(0, ...members.map(({ depth }) => depth)),
    containers: sum('containers') + 1,
    values: sum('values') + 1 + Math.max(0, members.length - 1),
  };
}

function namesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(namesOf)];
}

const anyValue = fc.jsonValue({ stringUnit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'a', '😀') });

/** Counts the characters of all names that were added. */
class CountedNames extends Set<string> {
  characters = 0;

  override add(name: string): this {
    this.characters += name.length;
    return super.add(name);
  }
}

test('a text is read once, also if it is not JSON: no name is taken twice', () => {
  const tokens = fc.array(fc.constantFrom(':', '{', ',', 'a'), { minLength: 10, maxLength: 200 });
  fc.assert(
    fc.property(tokens, (after) => {
      const text = `{"${'a'.repeat(1_000)}"${after.join('')}`;
      const names = new CountedNames();
      spendJsonBudget(text, budgetOf({ names }));
      expect(names.characters).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: numRuns(300) },
  );
});

test('every object, list, comma and name is counted, whatever the strings contain', () => {
  fc.assert(
    fc.property(anyValue, fc.constantFrom(undefined, 1), (value, indent) => {
      const { depth, containers, values } = structureOf(value);
      const text = JSON.stringify(value, undefined, indent);
      const budget = budgetOf({ maxDepth: depth });
      expect(spendJsonBudget(text, budget)).toBeUndefined();
      expect(budget.containers).toBe(1_000_000 - containers);
      expect(budget.values).toBe(1_000_000 - values);
      expect(budget.names.size).toBe(new Set(namesOf(value)).size);
      if (depth > 0) expect(spendJsonBudget(text, budgetOf({ maxDepth: depth - 1 }))).toBe('depth');
      if (containers > 0) expect(spendJsonBudget(text, budgetOf({ containers: containers - 1 }))).toBe('structure');
      if (values > 0) expect(spendJsonBudget(text, budgetOf({ values: values - 1 }))).toBe('structure');
    }),
    { numRuns: numRuns(2_000) },
  );
});

describe('names', () => {
  const members = (count: number, first = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${first + index}`, 0]));
  const spend = (value: unknown, budget = budgetOf()) => spendJsonBudget(JSON.stringify(value), budget);

  test('of all objects together are counted once each', () => {
    const list = Array.from({ length: 100 }, () => members(maxNames));
    expect(spend(list)).toBeUndefined();
    expect(spend([...list, members(1, maxNames)])).toBe('structure');
  });

  test('of all texts with the same budget are counted together', () => {
    const budget = budgetOf();
    expect(spend(members(maxNames), budget)).toBeUndefined();
    expect(spend(members(maxNames), budget)).toBeUndefined();
    expect(spend(members(1, maxNames), budget)).toBe('structure');
  });

  test('before spaces and line breaks are counted, too', () => {
    expect(spendJsonBudget(JSON.stringify(members(maxNames + 1)).replaceAll(':', ' \n:'), budgetOf())).toBe(
      'structure',
    );
  });
});

describe('text that is not JSON', () => {
  test.each(['', '"', '"\\', ']]]]{', '"\\"', ',,,', '\\"{', '::', ':"a":'])(
    'is counted without an error: %j',
    (text) => {
      expect(spendJsonBudget(text, budgetOf())).toBeUndefined();
    },
  );

  test('is read only until the budget is spent', () => {
    const budget = budgetOf({ values: 10 });
    expect(spendJsonBudget(','.repeat(1_000_000), budget)).toBe('structure');
    expect(budget.values).toBe(-1);
  });
});
