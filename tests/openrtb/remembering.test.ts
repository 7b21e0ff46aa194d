/** Decoding is done once for a text that comes back, and never costs more memory than is set aside for it. */
import { expect, test } from '@jest/globals';
import { remembering } from '../../src/openrtb/remembering.ts';

function counting() {
  const decoded: string[] = [];
  const read = remembering({ most: 100, longest: 20 }, (text) => {
    decoded.push(text);
    return { text };
  });
  return { read, decoded };
}

test('a text is decoded once', () => {
  const { read, decoded } = counting();
  expect(read('a')).toBe(read('a'));
  expect(read('b')).toEqual({ text: 'b' });
  expect(decoded).toEqual(['a', 'b']);
});

test('a very long text is decoded each time', () => {
  const { read, decoded } = counting();
  const long = 'a'.repeat(21);
  read(long);
  read(long);
  expect(decoded).toHaveLength(2);
});

test('when full it starts anew', () => {
  const { read, decoded } = counting();
  for (let text = 0; text < 100; text++) read(String(text));
  read('0');
  expect(decoded).toHaveLength(100);
  read('one more');
  read('0');
  expect(decoded).toHaveLength(102);
});
