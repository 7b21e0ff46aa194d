/** Times and errors as people read them. */
import { expect, test } from '@jest/globals';
import { asSentence, formatDateTime } from '../../src/console/logic/format.ts';

const at = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime();

test('a time has its date unless it is that of today', () => {
  const now = at(2026, 2, 1, 0, 0, 5);
  expect(formatDateTime(at(2026, 2, 1, 23, 4, 5), now)).toBe('23:04:05');
  expect(formatDateTime(at(2026, 1, 28, 23, 59, 59), now)).toBe('2026-02-28 23:59:59');
  expect(formatDateTime(at(2025, 2, 1, 0, 0, 5), now)).toBe('2025-03-01 00:00:05');
});

test.each([
  ['too many wrong tokens; try again in a minute', 'Too many wrong tokens; try again in a minute.'],
  ['Is the exchange running?', 'Is the exchange running?'],
])('%s becomes a sentence', (text, sentence) => expect(asSentence(text)).toBe(sentence));
