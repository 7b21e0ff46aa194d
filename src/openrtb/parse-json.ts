/** JSON text to a value; keys that reach for an object's prototype are dropped, nothing else is touched. */
import { parse } from 'secure-json-parse';

/** What no JSON text can mean. */
export const notJson: unique symbol = Symbol('not JSON');

export function parseJson(text: string): unknown {
  try {
    return parse(text, { protoAction: 'remove', constructorAction: 'remove' }) as unknown;
  } catch {
    return notJson;
  }
}
