/** Amounts in micros: the rate of a currency, whose code a caller or a partner chooses, and bids against floors. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fractionalFloor, isBelow, rateOf, toMicros } from '../../src/money/micros.ts';
import { createRates } from '../../src/money/rates.ts';
import { numRuns } from '../support/num-runs.ts';

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

describe('a bid is below a floor', () => {
  const anyRate = fc.oneof(fc.constant(1), fc.double({ min: 1e-5, max: 10, noNaN: true }));
  const anyAmount = fc.double({ min: 0.01, max: 100_000, noNaN: true });
  const aLittle = fc.double({ min: -1e-4, max: 1e-4, noNaN: true });
  /** Often within a micro of each other. */
  const anyPair = fc.oneof(
    fc.record({ bid: anyAmount, floor: anyAmount }),
    fc.record({ floor: anyAmount, by: aLittle }).map(({ floor, by }) => ({ bid: floor + by, floor })),
  );
  const floorOf = (amount: number, rate: number) => ({
    floorMicros: toMicros(amount, rate),
    fractional: fractionalFloor(amount, 'EUR', rate),
  });

  test('in its own currency if its amount is, whatever the rate', () => {
    fc.assert(
      fc.property(anyPair, anyRate, fc.constantFrom('EUR', 'eur'), ({ bid, floor }, rate, currency) => {
        fc.pre(Math.abs(bid - floor) > 1e-14 * floor || bid === floor);
        expect(isBelow(toMicros(bid, rate), { price: bid, currency }, floorOf(floor, rate))).toBe(bid < floor);
      }),
      { numRuns: numRuns(20_000) },
    );
  });

  test('in another currency if it is worth less, and never if it is worth two micros more', () => {
    fc.assert(
      fc.property(anyPair, anyRate, ({ bid, floor }, rate) => {
        const below = isBelow(toMicros(bid, 1), { price: bid, currency: 'USD' }, floorOf(floor / rate, rate));
        if (bid < floor * (1 - 1e-14)) expect(below).toBe(true);
        if (bid > floor * (1 + 1e-14) + 2e-6) expect(below).toBe(false);
      }),
      { numRuns: numRuns(20_000) },
    );
  });
});
