/** Parses a file of the operator, whose structure is bounded by its own rules only. */
import { describeJsonError } from '../json/describe-json-error.ts';
import { createJsonBudget, type JsonBudget } from '../json/json-budget.ts';
import { maxDepth, parseJson, tooDeep } from '../json/parse-json.ts';

const createBudget = (): JsonBudget => ({
  ...createJsonBudget({ maxDepth, containers: Infinity, values: Infinity, maxNames: Infinity }),
  exponents: Infinity,
});

export function parseFile(text: string): { content: unknown } | { problem: string } {
  const content = parseJson(text, createBudget());
  if (content === tooDeep) return { problem: `must have at most ${maxDepth} levels of nested objects and arrays` };
  return typeof content === 'symbol' ? { problem: `not valid JSON; ${describeJsonError(text)}` } : { content };
}
