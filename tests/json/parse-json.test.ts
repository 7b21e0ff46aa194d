/** Keys that would reach an object's prototype are dropped in any spelling; everything else is unchanged. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPlain, notJson, parseJson } from '../../src/json/parse-json.ts';

/** A key as JSON, some of its characters escaped. */
const spelled = (key: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: key.length, maxLength: key.length }).map((escaped) => {
    const written = key.split('').map((character, at) => (escaped[at] ? escape(character) : character));
    return `"${written.join('')}"`;
  });

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

test('__proto__ is dropped in any spelling', () => {
  fc.assert(
    fc.property(spelled('__proto__'), spelled('id'), (proto, id) => {
      const value = parseJson(`{"imp":[{${proto}:{"id":"1"},${id}:"2"}]}`) as { imp: object[] };
      expect(Object.keys(value.imp[0]!)).toEqual(['id']);
      expect(Object.getPrototypeOf(value.imp[0])).toBe(Object.prototype);
    }),
  );
});

test('a constructor with a prototype is dropped in any spelling, any other is kept', () => {
  fc.assert(
    fc.property(spelled('constructor'), spelled('prototype'), (constructor, prototype) => {
      expect(parseJson(`{"a":{${constructor}:{${prototype}:{}}},"b":{${constructor}:{}}}`)).toEqual(
        JSON.parse('{"a":{},"b":{"constructor":{}}}'),
      );
    }),
  );
});

/** Similar to those keys, as names and as values. */
const lookalike = fc.constantFrom('proto', 'prototype', '_proto_', '__proto', 'constructor', 'u0065', '\u00e9');
const name = fc.oneof(
  lookalike,
  fc.string().filter((text) => text !== '__proto__'),
);
const text = fc.oneof(lookalike, fc.constant('__proto__'), fc.string({ unit: 'grapheme' }));

test('everything else is unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(name, text)), fc.boolean(), (given, inAscii) => {
      const plain = JSON.stringify(given);
      const json = inAscii ? plain.replaceAll(/[^ -~]/g, escape) : plain;
      expect(parseJson(json)).toEqual(JSON.parse(json));
    }),
  );
});

test('escapes that Go writes into every text do not make it suspicious; an escaped letter of a dangerous key does', () => {
  for (const text of [
    String.raw`{"url":"https://a.example/?a=1\u0026b=2"}`,
    String.raw`["\u003cp\u003e", "\u2028\u00e9"]`,
  ])
    expect(isPlain(text)).toBe(true);
  for (const key of [
    '__\\u0070roto__',
    '__p\\u0072oto__',
    '__pr\\u006Fto__',
    '__pro\\u0074o__',
    'prot\\u006ftype',
    '__proto__',
  ])
    expect(isPlain(`{"${key}":1}`)).toBe(false);
});

test('a text with a dangerous key is suspicious in any spelling', () => {
  fc.assert(
    fc.property(fc.oneof(spelled('__proto__'), spelled('prototype')), (key) => {
      expect(isPlain(`{"url":"?a\\u0026b",${key}:1}`)).toBe(false);
    }),
  );
});

test('a text that is not JSON has a distinct result', () => {
  for (const text of ['', '{', 'undefined', '{"a":1}}']) expect(parseJson(text)).toBe(notJson);
});
