/** The price in the currency of the response, for any rates. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toMicros } from '../../src/money/micros.ts';
import { createRates } from '../../src/money/rates.ts';
import {
  type Amount,
  type Currency,
  currencyOf,
  responseCurrency,
  responsePrice,
  usd,
} from '../../src/money/response-price.ts';
import { numRuns } from '../support/num-runs.ts';

const eur: Currency = { code: 'EUR', rate: 1 / 0.92 };
const jpy: Currency = { code: 'JPY', rate: 0.0067 };
const inEuros = (amount: number): Amount => ({ amount, currency: eur });
const inDollars = (amount: number): Amount => ({ amount, currency: usd });
const inYen = (amount: number): Amount => ({ amount, currency: jpy });

describe('the price', () => {
  test.each<[string, number, Currency, Amount, Amount[], number]>([
    ['is converted', 2_000_000, eur, inDollars(2), [], 1.84],
    ['is rounded down to six decimals', 1_000_001, eur, inDollars(1.000001), [], 0.92],
    ['is the bid as sent if the winner pays it', toMicros(2, eur.rate), eur, inEuros(2), [], 2],
    ['is the bid as sent, rounded down', toMicros(2.1234567, eur.rate), eur, inEuros(2.1234567), [], 2.123456],
    ['is the floor as sent if the winner pays it', toMicros(50, jpy.rate), jpy, inDollars(1), [inYen(50)], 50],
    ['is at least a millionth', 1, eur, inDollars(2), [], 0.000_001],
    ['does not exceed the bid', 700_000, eur, inEuros(0.644), [], 0.644],
    ['is at least a floor in another currency', 1_000_000, jpy, inDollars(1), [inDollars(1)], 149.253732],
    ['is at least a floor in euros, in dollars', toMicros(0.5, eur.rate), usd, inEuros(0.5), [inEuros(0.5)], 0.543479],
    ['is at least every floor', 1_000_000, eur, inDollars(1), [inEuros(0.5), inEuros(0.92)], 0.92],
  ])('%s', (_name, micros, currency, bid, floors, price) => {
    expect(responsePrice(micros, currency, bid, floors)).toBe(price);
  });
});

const anyRate = fc.double({ min: 1e-4, max: 10, noNaN: true });
const anyCurrency = fc.oneof(
  fc.constant(usd),
  fc.record({ code: fc.constant('EUR'), rate: anyRate }),
  fc.record({ code: fc.constant('JPY'), rate: anyRate }),
);
/** One rate per currency: the second of two equal codes takes over the first. */
const sameRates = (first: Currency, ...others: Currency[]): Currency[] => {
  const known = [first];
  for (const one of others) known.push(known.find(({ code }) => code === one.code) ?? one);
  return known;
};
const anyPrice = fc.double({ min: 0.01, max: 100_000, noNaN: true });
/** As valid requests have them: at most two decimals. */
const anyFloor = fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);
/** A millionth, and the error of floating point. */
const slack = (amount: number) => 1.001e-6 + amount * 1e-12;

test('conversion never raises a bid', () => {
  fc.assert(
    fc.property(anyPrice, anyRate, (amount, rate) => {
      expect(toMicros(amount, rate) / 1e6).toBeLessThanOrEqual(amount * rate + 1e-9 + amount * rate * 1e-15);
    }),
    { numRuns: numRuns(20_000) },
  );
});

test('a bid of the same amount and currency as the floor reaches it', () => {
  fc.assert(
    fc.property(anyFloor, fc.oneof(anyRate, fc.constant(1)), (amount, rate) => {
      expect(toMicros(amount, rate)).toBeGreaterThanOrEqual(toMicros(amount, rate));
    }),
    { numRuns: numRuns(20_000) },
  );
});

describe('for any bid, floor, clearing price and currencies', () => {
  const anySale = fc
    .record({
      currencies: fc.tuple(anyCurrency, anyCurrency, anyCurrency),
      price: anyPrice,
      floor: anyFloor,
      /** Where the clearing price is between floor and bid; often at one of them. */
      position: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      atFloor: fc.boolean(),
    })
    .map(({ currencies, price, floor, position, atFloor }) => {
      const [response, bidCurrency, floorCurrency] = sameRates(...currencies) as [Currency, Currency, Currency];
      const amount = atFloor ? (floor * floorCurrency.rate) / bidCurrency.rate : price;
      const bidMicros = toMicros(amount, bidCurrency.rate);
      const floorMicros = toMicros(floor, floorCurrency.rate);
      return {
        isValid: bidMicros >= floorMicros && bidMicros > 0,
        priceMicros: Math.round(floorMicros + (bidMicros - floorMicros) * position),
        response,
        bid: { amount, currency: bidCurrency },
        floor: { amount: floor, currency: floorCurrency },
      };
    });

  test('the price has six decimals, is above zero, not below the floor as given, and not above the bid by more than a millionth', () => {
    fc.assert(
      fc.property(anySale, ({ isValid, priceMicros, response, bid, floor }) => {
        fc.pre(isValid);
        const price = responsePrice(priceMicros, response, bid, [floor]);
        expect(price).toBeGreaterThan(0);
        expect(Math.abs(price * 1e6 - Math.round(price * 1e6))).toBeLessThan(1e-2 + price * 1e-9);
        if (floor.currency.code === response.code) expect(price).toBeGreaterThanOrEqual(floor.amount);
        const floorDollars = floor.amount * floor.currency.rate;
        expect(price * response.rate).toBeGreaterThanOrEqual(
          floorDollars - floorDollars * 1e-12 - 1e-9 * response.rate,
        );
        const bidDollars = bid.amount * bid.currency.rate;
        expect(price * response.rate).toBeLessThanOrEqual(bidDollars + slack(bidDollars) + 1.001e-6 * response.rate);
      }),
      { numRuns: numRuns(20_000) },
    );
  });

  test('the price never exceeds a bid in the same currency that reaches the floor in that currency', () => {
    fc.assert(
      fc.property(anySale, ({ isValid, priceMicros, response, bid, floor }) => {
        fc.pre(isValid);
        fc.pre(
          bid.currency.code === response.code && floor.currency.code === response.code && bid.amount >= floor.amount,
        );
        expect(responsePrice(priceMicros, response, bid, [floor])).toBeLessThanOrEqual(bid.amount + 1e-9);
      }),
      { numRuns: numRuns(5_000) },
    );
  });
});

describe('currencies', () => {
  const rates = createRates({ EUR: 1.1, AUD: 0.65 });

  test('are listed with USD first', () => expect(rates.currencies).toEqual(['USD', 'AUD', 'EUR']));

  test.each([undefined, null, '', 'USD', 'usd'])('%p is USD', (code) => expect(currencyOf(code, rates)).toBe(usd));

  test.each(['CHF', 'toString', '__proto__', 978, ['EUR'], {}])('%p has no rate', (code) => {
    expect(currencyOf(code, rates)).toBeUndefined();
  });

  test('of a response may be in any case', () => {
    expect(responseCurrency(['', 'chf', 'eur', 'AUD'], rates)).toEqual({ code: 'EUR', rate: 1.1 });
  });
});
