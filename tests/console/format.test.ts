/** Times, prices and errors as people read them. */
import { expect, test } from '@jest/globals';
import { asSentence, formatDateTime, formatPrice, formatUsd } from '../../src/console/logic/format.ts';

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

test.each([
  [0, '0.00 USD'],
  [0.004, '0.004 USD'],
  [0.00012345, '0.000123 USD'],
  [0.125, '0.125 USD'],
  [0.6, '0.60 USD'],
  [0.9999, '1.00 USD'],
  [1.005, '1.00 USD'],
  [12.3, '12.30 USD'],
  [1383, '1,383.00 USD'],
])('a price of %d has at least three significant digits', (price, shown) =>
  expect(formatPrice(price, 'USD')).toBe(shown),
);

test('so has revenue', () => expect(formatUsd(0.004)).toBe('$0.004'));
