/** Parses JSON text, dropping keys that would reach an object's prototype, and limits its nesting. */
import { parse as secureParse } from 'secure-json-parse';
import { isObject } from './guards.ts';
import { isWithinDepth } from './is-within-depth.ts';
import { createJsonBudget, type JsonBudget, smallJsonLength, spendJsonBudget } from './json-budget.ts';

const byteOrderMark = 0xfeff;

/** The result for a text that is not JSON: no JSON value equals it. */
export const notJson: unique symbol = Symbol('not JSON');

/** The result for a text that is nested too deep. */
export const tooDeep: unique symbol = Symbol('too deep');

/** The result for a text that exceeds its budget in another way. */
export const tooComplex: unique symbol = Symbol('too complex');

/** Levels of objects and arrays, the outermost included. Within it, what follows may be recursive. */
export const maxDepth = 64;

/** Objects and lists of a text without a budget of its own. */
export const maxContainers = 32_768;

/** Returns the value, `notJson`, `tooDeep` or `tooComplex`. Of a short text without a budget, only the nesting is limited. */
export function parseJson(text: string, budget?: JsonBudget): unknown {
  if (!budget && text.length <= smallJsonLength) return parseShort(text);
  return parseLong(text, budget ?? createJsonBudget({ maxDepth, containers: maxContainers, values: Infinity }));
}

function parseShort(text: string): unknown {
  const value = tryToParse(text);
  return isWithinDepth(maxDepth, value) ? value : tooDeep;
}

function parseLong(text: string, budget: JsonBudget): unknown {
  const excess = spendJsonBudget(text, budget);
  if (excess === undefined) return tryToParse(text);
  return excess === 'depth' ? tooDeep : tooComplex;
}

function tryToParse(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return notJson;
  }
}

const parse = (text: string): unknown =>
  isPlain(text)
    ? (JSON.parse(text) as unknown)
    : secureParse(text, { protoAction: 'remove', constructorAction: 'remove' });

/**
 * `proto` is part of both dangerous keys, `__proto__` and `prototype`, unless one of its letters is escaped. One search is faster than a
 * check of every key. Other escapes are common: Go writes `&`, `<` and `>` as `\u0026`, `\u003c` and `\u003e`.
 */
const suspicious = /proto|\\u00(?:7[024]|6[fF])/;

/** Whether no key of `text` can reach a prototype, however it is spelled. */
export const isPlain = (text: string): boolean => text.charCodeAt(0) !== byteOrderMark && !suspicious.test(text);

/** A string that holds the JSON text of an object: the sender encoded the object twice. */
export const isEncodedTwice = (value: unknown): boolean => typeof value === 'string' && isObject(parseJson(value));
