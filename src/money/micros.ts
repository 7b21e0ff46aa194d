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

/** Rounds down: the price never exceeds the bid. */
export const bidToMicros = (amount: number, rate: number): number =>
  Math.floor(amount * rate * 1_000_000 * (1 + roundingTolerance));

/** A floor in dollars is rounded up. A converted one is rounded like a bid, so that a bid of the same amount reaches it. */
export const floorToMicros = (amount: number, rate: number): number =>
  rate === 1 ? toMicrosUp(amount, rate) : bidToMicros(amount, rate);

const toMicrosUp = (amount: number, rate: number): number =>
  Math.ceil(amount * rate * 1_000_000 * (1 - roundingTolerance));

/** A floor that is not in dollars: bids in another currency must reach all of it. */
export interface ConvertedFloor {
  /** In upper case. */
  currency: string;
  /** Rounded up. */
  micros: number;
}

/** Undefined for a floor in dollars. */
export const convertedFloor = (amount: number, currency: unknown, rate: number): ConvertedFloor | undefined =>
  rate === 1 ? undefined : { currency: (currency as string).toUpperCase(), micros: toMicrosUp(amount, rate) };

/** Whether a price, of a bid in `currency`, is below a floor. */
export const isBelow = (
  priceMicros: number,
  currency: unknown,
  { floorMicros, converted }: { floorMicros: number; converted?: ConvertedFloor | undefined },
): boolean =>
  priceMicros < floorMicros ||
  (converted !== undefined && priceMicros < converted.micros && !isCode(currency, converted.currency));

const isCode = (currency: unknown, code: string): boolean =>
  typeof currency === 'string' && currency.length === codeLength && currency.toUpperCase() === code;
