/** Decoding is done once for a text that comes back, and never costs more memory than is set aside for it. */
import { expect, test } from '@jest/globals';
import { memoize } from '../../src/cache/memoize.ts';

function counting() {
  const decoded: string[] = [];
  const read = memoize({ maxEntries: 100, maxKeyLength: 20 }, (text) => {
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

test('when full, the least recently used entry makes room', () => {
  const { read, decoded } = counting();
  for (let text = 0; text < 100; text++) read(String(text));
  read('0');
  read('one more');
  expect(decoded).toHaveLength(101);
  read('0');
  expect(decoded).toHaveLength(101);
  read('1');
  expect(decoded).toHaveLength(102);
});

test('a flood of unique texts does not evict a text that keeps coming', () => {
  const { read, decoded } = counting();
  for (let text = 0; text < 1_000; text++) {
    read('placement');
    read(`unique-${text}`);
  }
  expect(decoded.filter((text) => text === 'placement')).toHaveLength(1);
});
