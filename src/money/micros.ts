/** Amounts of any currency as integer micros of a US dollar. */
import type { Rates } from './rates.ts';

/** As a share of the amount: 2.01 dollars are slightly less than 2,010,000 micros in binary floating point. */
const roundingTolerance = 4 * Number.EPSILON;

/** The length of a currency code. A longer one is not read: partners choose its length, and it is looked up once per bid. */
const codeLength = 3;

/** US dollars per unit of a currency in any case; an absent or empty code is USD. Undefined without a rate. */
export function rateOf(currency: unknown, rates: Rates): number | undefined {
  if (currency === 'USD' || currency === undefined || currency === null || currency === '') return 1;
  if (typeof currency !== 'string' || currency.length !== codeLength) return undefined;
  return rates.dollarsPer(currency.toUpperCase());
}

/** Rounds down: the price never exceeds the bid, and a bid of the amount of a floor in the same currency has its micros. */
export const toMicros = (amount: number, rate: number): number =>
  Math.floor(amount * rate * 1_000_000 * (1 + roundingTolerance));

const toMicrosUp = (amount: number, rate: number): number =>
  Math.ceil(amount * rate * 1_000_000 * (1 - roundingTolerance));

/** A floor between two micros: a bid in its currency must reach the amount, and any other the next micro. */
export interface FractionalFloor {
  amount: number;
  /** In upper case. */
  currency: string;
  nextMicros: number;
}

/** Undefined for a floor that is a whole number of micros. `currency` has a rate. */
export function fractionalFloor(amount: number, currency: unknown, rate: number): FractionalFloor | undefined {
  const nextMicros = toMicrosUp(amount, rate);
  return nextMicros === toMicros(amount, rate) ? undefined : { amount, currency: codeOf(currency), nextMicros };
}

/** The price of a bid as its partner sent it, in a currency that has a rate. */
export interface SentPrice {
  price?: unknown;
  currency?: unknown;
}

/** Whether a bid is below a floor; `priceMicros` is its price. */
export function isBelow(
  priceMicros: number,
  { price, currency }: SentPrice,
  { floorMicros, fractional }: { floorMicros: number; fractional?: FractionalFloor | undefined },
): boolean {
  if (!fractional) return priceMicros < floorMicros;
  if (codeOf(currency) !== fractional.currency) return priceMicros < fractional.nextMicros;
  return typeof price === 'number' && price * (1 + roundingTolerance) < fractional.amount;
}

/** In upper case; an absent or empty code is USD. */
const codeOf = (currency: unknown): string =>
  typeof currency === 'string' && currency !== '' ? currency.toUpperCase() : 'USD';
