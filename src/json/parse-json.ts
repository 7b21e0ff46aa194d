/** Parses JSON text, dropping keys that would reach an object's prototype. */
import { parse } from 'secure-json-parse';
import { isObject } from './guards.ts';

const byteOrderMark = 0xfeff;

/** The result for a text that is not JSON: no JSON value equals it. */
export const notJson: unique symbol = Symbol('not JSON');

export function parseJson(text: string): unknown {
  try {
    if (isPlain(text)) return JSON.parse(text) as unknown;
    return parse(text, { protoAction: 'remove', constructorAction: 'remove' }) as unknown;
  } catch {
    return notJson;
  }
}

/** Part of both dangerous keys, plain or with an escaped ASCII letter; one search is faster than a check of every key. */
const suspicious = /proto|u00/;

const isPlain = (text: string): boolean => text.charCodeAt(0) !== byteOrderMark && !suspicious.test(text);

/** A string that holds the JSON text of an object: the sender encoded the object twice. */
export const isEncodedTwice = (value: unknown): boolean => typeof value === 'string' && isObject(parseJson(value));
