/** Values in error reasons are short and printable. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeCharacter, describeType, describeValue, showInvisible } from '../../src/json/describe-value.ts';

test.each([
  [null, 'null', 'null'],
  [undefined, 'nothing', 'nothing'],
  [[1], 'an array', 'an array'],
  [{ a: 1 }, 'an object', 'an object'],
  ['1', 'a string', '"1"'],
  [1.5, 'a number', '1.5'],
  [true, 'a boolean', 'true'],
])('%j is %s, in full %s', (value, type, inFull) => {
  expect(describeType(value)).toBe(type);
  expect(describeValue(value)).toBe(inFull);
});

test('quotes, backslashes and invisible characters of a string are escaped', () => {
  expect(describeValue('a"b\\c\n\u202e\ud800é')).toBe(String.raw`"a\"b\\c\u{a}\u{202e}\u{d800}é"`);
});

test('a long string is cut after 40 characters', () => {
  expect(describeValue('a'.repeat(41))).toBe(`"${'a'.repeat(40)}…"`);
  expect(describeValue('a'.repeat(40))).toBe(`"${'a'.repeat(40)}"`);
});

test('a description of any value is one line, of bounded length', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(describeValue(value)).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]{1,400}$/u);
    }),
  );
});

test.each([
  ['a', "'a'"],
  ["'", `"'"`],
  ['ü', "'ü' (U+00FC)"],
  ['\u00a0', 'U+00A0'],
  ['\n', 'U+000A'],
  ['😀', "'😀' (U+1F600)"],
  ['\ud800', 'U+D800'],
])('the character %j is described as %s', (character, described) => {
  expect(describeCharacter(`xy${character}`, 2)).toBe(described);
});

test('invisible characters of any other text are shown as code points, and nothing else is changed', () => {
  expect(showInvisible('pub-1 "é" \u009b31m\u202e\u2028\x7f')).toBe(
    String.raw`pub-1 "é" \u{9b}31m\u{202e}\u{2028}\u{7f}`,
  );
  expect(showInvisible('pub-1')).toBe('pub-1');
});
