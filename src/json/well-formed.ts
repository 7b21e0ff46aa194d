/** Replaces unpaired surrogates in JSON of partners and files: strict parsers reject the whole response for one of them. */
import { isObject } from './guards.ts';
import type { JsonBudget } from './json-budget.ts';
import { parseJson } from './parse-json.ts';

/** UTF-8 cannot encode a surrogate, so a received text contains surrogates as escapes only. Most texts have none. */
const hasSurrogateEscape = (text: string): boolean => text.includes('\\ud') || text.includes('\\uD');

/** Like `parseJson`, with well-formed strings: U+FFFD replaces an unpaired surrogate. The text itself must be well-formed. */
export function parseWellFormed(text: string, budget?: JsonBudget): unknown {
  const value = parseJson(text, budget);
  return hasSurrogateEscape(text) ? toWellFormed(value) : value;
}

/** Changes objects and lists in place, names included. Recursive: the depth of parsed JSON is bounded. */
export function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = toWellFormed(value[index]);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const member = toWellFormed(value[name]);
      if (!name.isWellFormed()) delete value[name];
      value[name.toWellFormed()] = member;
    }
  }
  return value;
}
