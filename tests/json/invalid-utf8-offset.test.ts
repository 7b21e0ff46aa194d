/** The first byte that is not UTF-8 is found wherever it is. */
import { expect, test } from '@jest/globals';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { invalidUtf8Offset } from '../../src/json/invalid-utf8-offset.ts';
import { numRuns } from '../support/num-runs.ts';

/** Sequences that no UTF-8 text has, however it continues: a lone continuation, an overlong one, a surrogate, 0xff. */
const invalid = fc.constantFrom(
  [0x80],
  [0xc0, 0x80],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf5, 0x80],
  [0xff],
  [0xe2, 0x28],
);
const text = fc.string({ unit: 'grapheme', maxLength: 400 }).map((characters) => Buffer.from(characters));

test('an invalid sequence between valid texts is found at its first byte', () => {
  fc.assert(
    fc.property(text, invalid, text, (before, sequence, after) => {
      expect(invalidUtf8Offset(Buffer.concat([before, Buffer.from(sequence), after]))).toBe(before.length);
    }),
    { numRuns: numRuns(2_000) },
  );
});

test('a character cut short at the end is found at its first byte', () => {
  const bytes = Buffer.from(`${'é'.repeat(300)}😀`);
  for (const missing of [1, 2, 3]) expect(invalidUtf8Offset(bytes.subarray(0, -missing))).toBe(600);
});

test('in any bytes, everything before the offset is UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const offset = invalidUtf8Offset(bytes);
      expect(isUtf8(bytes.subarray(0, offset))).toBe(true);
      expect(offset === bytes.length).toBe(isUtf8(bytes));
    }),
    { numRuns: numRuns(2_000) },
  );
});
