/** A JSON error names the problem and the first position at which the text stops being JSON. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeJsonError } from '../../src/json/describe-json-error.ts';
import { numRuns } from '../support/num-runs.ts';

test.each([
  ['', 'the text is empty'],
  [' \n\t ', 'the text is empty'],
  ['{', 'unexpected end of input at position 1 (line 1, column 2); the object that starts at position 0 is not closed'],
  [
    '[[1]',
    'unexpected end of input at position 4 (line 1, column 5); the array that starts at position 0 is not closed',
  ],
  [
    '{"a":"b',
    'unexpected end of input at position 7 (line 1, column 8); the string that starts at position 5 is not closed',
  ],
  ['tru', 'unexpected end of input at position 3 (line 1, column 4)'],
  ['{"a":1,}', "trailing comma before '}' at position 7 (line 1, column 8)"],
  ['[1,\n  2,\n]', "trailing comma before ']' at position 9 (line 3, column 1)"],
  ["{'a':1}", 'single-quoted string at position 1 (line 1, column 2); use double quotes'],
  ["[1,'a']", 'single-quoted string at position 3 (line 1, column 4); use double quotes'],
  ['{"a":1,b:2}', 'name without quotes at position 7 (line 1, column 8); use double quotes'],
  ['{"a" 1}', "unexpected character '1' at position 5 (line 1, column 6); expected : after the name"],
  ['{"a":1 "b":2}', `missing comma before '"' at position 7 (line 1, column 8)`],
  ['[{} {}]', "missing comma before '{' at position 4 (line 1, column 5)"],
  ['[1}', "unexpected character '}' at position 2 (line 1, column 3); expected , or ] for the bracket at position 0"],
  ['{"a":}', "unexpected character '}' at position 5 (line 1, column 6); expected a value"],
  ['[1,,2]', "unexpected character ',' at position 3 (line 1, column 4); expected a value"],
  ['{"a":NaN}', "unexpected character 'N' at position 5 (line 1, column 6); expected a value"],
  ['{"a":nan}', "unexpected character 'a' at position 6 (line 1, column 7); expected null"],
  ['[01]', 'number with a leading zero at position 2 (line 1, column 3)'],
  ['[.5]', "unexpected character '.' at position 1 (line 1, column 2); expected a value or ]"],
  ['[1.]', "unexpected character ']' at position 3 (line 1, column 4); expected a digit"],
  ['[-a]', "unexpected character 'a' at position 2 (line 1, column 3); expected a digit"],
  ['[1e+]', "unexpected character ']' at position 4 (line 1, column 5); expected a digit"],
  ['["a\nb"]', 'line break in a string at position 3 (line 1, column 4); escape it'],
  ['["a\u0001"]', 'control character in a string at position 3 (line 1, column 4); escape it'],
  ['["\\x41"]', "unexpected character 'x' at position 3 (line 1, column 4); not a JSON escape sequence"],
  [
    `["\\u12'4"]`,
    `unexpected character "'" at position 6 (line 1, column 7); expected four hexadecimal digits after \\u`,
  ],
  [
    '{} {}',
    "unexpected character '{' at position 3 (line 1, column 4); expected the text to end after its first value",
  ],
  ['{"a":1 // one\n}', "unexpected character '/' at position 7 (line 1, column 8); JSON has no comments"],
  ['[“a”]', "unexpected character '“' (U+201C) at position 1 (line 1, column 2); expected a value or ]"],
  ['[\u00a01]', 'unexpected character U+00A0 at position 1 (line 1, column 2); expected a value or ]'],
  [
    '\ufeff[1',
    'unexpected end of input at position 2 (line 1, column 3); the array that starts at position 0 is not closed',
  ],
])('%j: %s', (text, expected) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(describeJsonError(text)).toBe(expected);
});

const positionIn = (reason: string): number => Number(/ at position (\d+) \(/.exec(reason)?.[1]);

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Valid JSON with an index into it. */
const documentWithIndex = fc
  .tuple(fc.json({ stringUnit: 'binary' }), fc.boolean(), fc.nat())
  .map(([json, indented, seed]): [string, number] => {
    const text = indented ? JSON.stringify(JSON.parse(json), null, 2) : json;
    return [text, seed % (text.length + 1)];
  });

describe('in a mutated document', () => {
  test('a character that JSON allows nowhere is reported at its own position', () => {
    fc.assert(
      fc.property(documentWithIndex, ([text, index]) => {
        expect(positionIn(describeJsonError(`${text.slice(0, index)}\u0001${text.slice(index)}`))).toBe(index);
      }),
      { numRuns: numRuns(2_000) },
    );
  });

  test('a missing end is reported at the end', () => {
    fc.assert(
      fc.property(documentWithIndex, ([text, index]) => {
        const start = text.slice(0, index);
        fc.pre(!parses(start) && start.trim() !== '');
        expect(describeJsonError(start)).toMatch(/^unexpected end of input/);
        expect(positionIn(describeJsonError(start))).toBe(index);
      }),
      { numRuns: numRuns(2_000) },
    );
  });

  test('any change is reported at the position that the parser reports, where it reports one', () => {
    let compared = 0;
    const insertion = fc.constantFrom('', ...Array.from(`{}[]:,"'\\/-+.0123456789eEtrufalsn \n\t`));
    fc.assert(
      fc.property(documentWithIndex, insertion, fc.nat(2), ([text, index], inserted, removed) => {
        const changed = text.slice(0, index) + inserted + text.slice(index + removed);
        try {
          JSON.parse(changed);
        } catch (error) {
          const position = / at position (\d+)/.exec((error as Error).message)?.[1];
          const reason = describeJsonError(changed);
          if (position === undefined) return;
          compared++;
          expect(positionIn(reason)).toBe(Number(position));
        }
      }),
      { numRuns: numRuns(5_000) },
    );
    expect(compared).toBeGreaterThan(numRuns(500));
  });
});

test('any text gets a short reason', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[[\]{}:,"'\\0-9eEtruefalsn .+-]*$/)),
      (text) => {
        const reason = describeJsonError(text);
        expect(reason.length).toBeLessThan(200);
        if (parses(text)) expect(reason).toBe('the parser rejected it');
        else expect(reason).not.toBe('the parser rejected it');
      },
    ),
    { numRuns: numRuns(5_000) },
  );
});

test('deep nesting is scanned without recursion', () => {
  expect(describeJsonError('['.repeat(65_536))).toMatch(/^unexpected end of input at position 65536 /);
});

test.each([
  [
    'with the position that the parser reports',
    `{"a":${' '.repeat(70_000)}1,}`,
    'error at position 70007 (line 1, column 70008)',
  ],
  [
    'without a position if it reports none',
    `[${' '.repeat(70_000)}x]`,
    'its 70003 characters are too many to locate the error',
  ],
])('an error in a text of more than 64 Ki characters is described %s', (_how, text, reason) => {
  expect(describeJsonError(text)).toBe(reason);
});
