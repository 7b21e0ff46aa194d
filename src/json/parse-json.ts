/** JSON text to a value; keys that reach for an object's prototype are dropped, nothing else is touched. */
import { parse } from 'secure-json-parse';

const byteOrderMark = 0xfeff;

/** What no JSON text can mean. */
export const notJson: unique symbol = Symbol('not JSON');

export function parseJson(text: string): unknown {
  try {
    if (isPlain(text)) return JSON.parse(text) as unknown;
    return parse(text, { protoAction: 'remove', constructorAction: 'remove' }) as unknown;
  } catch {
    return notJson;
  }
}

/** In both keys, as it is or with an escape for an ASCII letter: to look for it is faster than to look at every key. */
const suspicious = /proto|u00/;

const isPlain = (text: string): boolean => text.charCodeAt(0) !== byteOrderMark && !suspicious.test(text);
