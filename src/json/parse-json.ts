/** Parses JSON text, dropping keys that would reach an object's prototype, and limits its nesting. */
import { parse as secureParse } from 'secure-json-parse';
import { exceedsDepth } from './exceeds-depth.ts';
import { isObject } from './guards.ts';
import { isWithinDepth } from './is-within-depth.ts';

const byteOrderMark = 0xfeff;

/** The result for a text that is not JSON: no JSON value equals it. */
export const notJson: unique symbol = Symbol('not JSON');

/** The result for a text that is nested too deep: what follows may then be recursive. */
export const tooDeep: unique symbol = Symbol('nested too deep');

/** Levels of objects and arrays, the outermost included. */
export const maxDepth = 64;
/** A shorter text is parsed so quickly, whatever its nesting, that measuring it first does not pay. */
const maxUnmeasuredLength = 4 * 1024;

/** Returns the value, `notJson` or `tooDeep`. */
export function parseJson(text: string): unknown {
  const isLong = text.length > maxUnmeasuredLength;
  if (isLong && exceedsDepth(text, maxDepth)) return tooDeep;
  try {
    const value = parse(text);
    return isLong || isWithinDepth(maxDepth, value) ? value : tooDeep;
  } catch {
    return notJson;
  }
}

const parse = (text: string): unknown =>
  isPlain(text)
    ? (JSON.parse(text) as unknown)
    : secureParse(text, { protoAction: 'remove', constructorAction: 'remove' });

/** Part of both dangerous keys, plain or with an escaped ASCII letter; one search is faster than a check of every key. */
const suspicious = /proto|u00/;

const isPlain = (text: string): boolean => text.charCodeAt(0) !== byteOrderMark && !suspicious.test(text);

/** A string that holds the JSON text of an object: the sender encoded the object twice. */
export const isEncodedTwice = (value: unknown): boolean => typeof value === 'string' && isObject(parseJson(value));
