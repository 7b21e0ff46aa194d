/** The structure of JSON text, counted before it is parsed. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type JsonBudget, maxNames, spendJsonBudget } from '../../src/json/json-budget.ts';
import { numRuns } from '../support/num-runs.ts';

const budgetOf = (over: Partial<JsonBudget> = {}): JsonBudget => ({
  maxDepth: 100,
  containers: 1_000_000,
  values: 1_000_000,
  names: new Map(),
  shapes: new Set(),
  exponents: Infinity,
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
class CountedNames extends Map<string, number> {
  characters = 0;

  override get(name: string): number | undefined {
    this.characters += name.length;
    return super.get(name);
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

describe('the beginnings of objects', () => {
  const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
  const rotated = (by: number) => [...names.slice(by % 50), ...names.slice(0, by % 50)];
  const objectOf = (members: readonly string[]) => Object.fromEntries(members.map((name) => [name, 0]));
  const spend = (objects: object[], over: Partial<JsonBudget> = {}) =>
    spendJsonBudget(JSON.stringify(objects), budgetOf({ maxNames: 1_250, ...over }));

  test('with the same names in the same order count once', () => {
    const budget = budgetOf();
    spendJsonBudget(JSON.stringify(Array.from({ length: 1_000 }, () => objectOf(names))), budget);
    expect(budget.shapes.size).toBe(50);
  });

  test('in ever new orders are limited, though their names are few', () => {
    const orders = Array.from({ length: 50 }, (_, by) => objectOf(rotated(by)));
    expect(spend(orders)).toBeUndefined(); // 2,500 beginnings
    expect(spend([...orders, objectOf(names.toReversed())])).toBe('structure');
  });
});

test('numbers with an exponent are limited, words and texts with an e are not', () => {
  const spend = (text: string) => spendJsonBudget(text, budgetOf({ exponents: 3 }));
  expect(spend('[1e5,2E-5,3.0e+1,true,false,"1e5",{"1e1":"2e2"}]')).toBeUndefined();
  expect(spend('[1e5,2E-5,3.0e+1,4e4]')).toBe('structure');
});
