/** Texts that are kept hold no more memory than they show. */
import { expect, test } from '@jest/globals';
import { copyStart } from '../../src/json/copy-start.ts';
import { keptBytes } from '../support/heap.ts';

test('the start of a text is a copy: the text itself is freed', () => {
  const kept: string[] = [];
  const bytes = keptBytes(() => {
    for (let index = 0; index < 50; index++)
      kept.push(copyStart(JSON.parse(`"${index}${'a'.repeat(2_000_000)}"`) as string, 200));
  });
  expect(bytes).toBeLessThan(20_000_000);
  expect(kept.every((text) => text.length === 200)).toBe(true);
});

test.each(['', 'short', '😀'])('a text that is not too long stays as it is: %j', (text) => {
  expect(copyStart(text, 5)).toBe(text);
});

test('lone surrogates survive', () => {
  expect(copyStart(`${'a'.repeat(20)}\ud800${'a'.repeat(20)}`, 21)).toBe(`${'a'.repeat(20)}\ud800`);
});

test('a surrogate pair is not split', () => {
  expect(copyStart(`${'a'.repeat(20)}😀${'a'.repeat(20)}`, 21)).toBe('a'.repeat(20));
  expect(copyStart(`${'a'.repeat(19)}😀${'a'.repeat(20)}`, 21)).toBe(`${'a'.repeat(19)}😀`);
});
