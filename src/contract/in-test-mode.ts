/** Puts the text of a bid request into test mode, so that the playground runs no live auction. */
import { isObject } from '../json/guards.ts';

/** Strings, brackets and other scalars of a JSON text. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{},:]+/g;

/**
 * `value` is what the text was parsed to. All but `test` stays as it is written: a number outside the range of a double has to reach the endpoint,
 * which rejects it. The text of anything but an object is unchanged.
 */
export function inTestMode(text: string, value: unknown): string {
  if (!isObject(value) || !needsTestMode(value.test)) return text;
  const test = findTest(text);
  if (test) return `${text.slice(0, test.from)}1${text.slice(test.to)}`;
  const end = text.lastIndexOf('}');
  const [, start = '', gap = ''] = /^([^{]*\{)(\s*)/.exec(text) ?? [];
  const members = text.slice(start.length, end).trimEnd();
  return `${start}${members}${members.trimStart() === '' ? '' : ','}${gap}"test": 1${text.slice(start.length + members.length)}`;
}

/**
 * Whether `test` has to be set to 1: it is absent, null (which counts as absent), or another integer. The bidding endpoint rejects any other
 * value, and its error has to be seen.
 */
const needsTestMode = (test: unknown): boolean =>
  test === undefined || test === null || (Number.isInteger(test) && test !== 1);

/** Where the text of an object has the value of its member `test`, of several the last, as in JSON.parse. The value is a scalar. */
function findTest(text: string): { from: number; to: number } | undefined {
  let depth = 0;
  let name: string | undefined;
  let found: { from: number; to: number } | undefined;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    if (depth !== 1 || token === '{') continue;
    if (name === undefined) name = token;
    else {
      if (JSON.parse(name) === 'test') found = { from: index, to: index + token.length };
      name = undefined;
    }
  }
  return found;
}
