/** Parsed text is well-formed Unicode: a strict JSON parser accepts it once it is encoded again. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isObject } from '../../src/json/guards.ts';
import { notJson } from '../../src/json/parse-json.ts';
import { parseWellFormed } from '../../src/json/well-formed.ts';
import { numRuns } from '../support/num-runs.ts';

test.each<[what: string, text: string, value: unknown]>([
  ['a high surrogate', String.raw`"\ud800x"`, '\ufffdx'],
  ['a low surrogate', String.raw`"x\udc00"`, 'x\ufffd'],
  ['a surrogate in capitals', String.raw`"\uD800"`, '\ufffd'],
  ['a pair in the wrong order', String.raw`"\udc00\ud800"`, '\ufffd\ufffd'],
  ['a pair', String.raw`"\ud83d\ude00"`, '😀'],
  ['a name', String.raw`{"a":1,"\ud800":{"\udc00":2}}`, { a: 1, '\ufffd': { '\ufffd': 2 } }],
  ['the text of an escape', String.raw`"\\ud800"`, String.raw`\ud800`],
])('%s', (_what, text, value) => {
  expect(parseWellFormed(text)).toEqual(value);
});

test('what is not JSON stays so', () => {
  expect(parseWellFormed(String.raw`"\ud800`)).toBe(notJson);
});

/** Texts in which surrogates often meet, escaped as JSON.stringify does not. */
const units = ['a', '\ud83d', '\ude00', '😀', 'ud800'];
const textOf = (unit: fc.Arbitrary<string>) => fc.array(unit, { maxLength: 6 }).map((parts) => parts.join(''));
const text = textOf(fc.constantFrom(...units, '\\', '"'));
/** After an object with the name `\`, JSON.parse of Node.js 24.21 takes other names that start with an escape for it. */
const name = textOf(fc.constantFrom(...units));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));
const escaped = (json: string, inCapitals: boolean): string =>
  json.replace(/[\ud800-\udfff]/g, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\u${inCapitals ? code.toUpperCase() : code}`;
  });

const wellFormed = (sent: unknown): unknown => {
  if (typeof sent === 'string') return sent.toWellFormed();
  if (Array.isArray(sent)) return sent.map(wellFormed);
  if (!isObject(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]));
};

test('every string and name is well-formed, and nothing else changes', () => {
  fc.assert(
    fc.property(value, fc.boolean(), (sent, inCapitals) => {
      expect(parseWellFormed(escaped(JSON.stringify(sent), inCapitals))).toEqual(wellFormed(sent));
    }),
    { numRuns: numRuns(5_000) },
  );
});
