/** A memoized function runs once per text, within a bounded number of entries. */
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

test('the result for a text is computed once', () => {
  const { read, decoded } = counting();
  expect(read('a')).toBe(read('a'));
  expect(read('b')).toEqual({ text: 'b' });
  expect(decoded).toEqual(['a', 'b']);
});

test('the result for a very long text is computed each time', () => {
  const { read, decoded } = counting();
  const long = 'a'.repeat(21);
  read(long);
  read(long);
  expect(decoded).toHaveLength(2);
});

test('a full cache evicts the least recently used entry', () => {
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

test('a flood of unique texts does not evict a text in regular use', () => {
  const { read, decoded } = counting();
  for (let text = 0; text < 1_000; text++) {
    read('placement');
    read(`unique-${text}`);
  }
  expect(decoded.filter((text) => text === 'placement')).toHaveLength(1);
});
