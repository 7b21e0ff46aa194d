/** Keys that reach for an object's prototype are dropped however they are spelled, and nothing else is. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { notJson, parseJson } from '../../src/json/parse-json.ts';

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

test('a constructor with a prototype is dropped in any spelling, any other stays', () => {
  fc.assert(
    fc.property(spelled('constructor'), spelled('prototype'), (constructor, prototype) => {
      expect(parseJson(`{"a":{${constructor}:{${prototype}:{}}},"b":{${constructor}:{}}}`)).toEqual(
        JSON.parse('{"a":{},"b":{"constructor":{}}}'),
      );
    }),
  );
});

/** What looks like those keys without being them, as names and as texts. */
const lookalike = fc.constantFrom('proto', 'prototype', '_proto_', '__proto', 'constructor', 'u0065', '\u00e9');
const name = fc.oneof(
  lookalike,
  fc.string().filter((text) => text !== '__proto__'),
);
const text = fc.oneof(lookalike, fc.constant('__proto__'), fc.string({ unit: 'grapheme' }));

test('nothing else is touched', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(name, text)), fc.boolean(), (given, inAscii) => {
      const plain = JSON.stringify(given);
      const json = inAscii ? plain.replaceAll(/[^ -~]/g, escape) : plain;
      expect(parseJson(json)).toEqual(JSON.parse(json));
    }),
  );
});

test('what is no JSON is told apart from every value', () => {
  for (const text of ['', '{', 'undefined', '{"a":1}}']) expect(parseJson(text)).toBe(notJson);
});
