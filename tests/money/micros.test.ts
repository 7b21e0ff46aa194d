/** The rate of a currency, whose code a caller or a partner chooses. */
import { expect, test } from '@jest/globals';
import { rateOf } from '../../src/money/micros.ts';
import { createRates } from '../../src/money/rates.ts';

const rates = createRates({ EUR: 1.25 });

test.each([
  ['EUR', 1.25],
  ['eur', 1.25],
  ['USD', 1],
  ['usd', 1],
  ['', 1],
  [undefined, 1],
  [null, 1],
  ['EU', undefined],
  ['EURO', undefined],
  ['XXX', undefined],
  [978, undefined],
  [['EUR'], undefined],
])('the rate of %j is %j', (currency, expected) => {
  expect(rateOf(currency, rates)).toBe(expected);
});

test('a long code is not looked up: that would take as long as the code is, once per bid', () => {
  const lookups: string[] = [];
  const dollarsPer = (currency: string) => void lookups.push(currency);
  expect(rateOf('Ā'.repeat(500_000), { ...rates, dollarsPer })).toBeUndefined();
  expect(lookups).toEqual([]);
});
