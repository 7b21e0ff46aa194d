/** The currency of a response, and the price of a winning bid in it. */
import { rateOf, toMicros } from './micros.ts';
import type { Rates } from './rates.ts';

/** `code` is in upper case; `rate` is US dollars per unit. */
export interface Currency {
  code: string;
  rate: number;
}

/** An amount as a caller or a partner sent it. */
export interface Amount {
  amount: number;
  currency: Currency;
}

export const usd: Currency = { code: 'USD', rate: 1 };

/** The currency in any case; an absent or empty code is USD. Undefined without a rate. */
export function currencyOf(code: unknown, rates: Rates): Currency | undefined {
  const rate = rateOf(code, rates);
  if (rate === undefined) return undefined;
  const upperCase = ((code as string | null | undefined) || usd.code).toUpperCase();
  return upperCase === usd.code ? usd : { code: upperCase, rate };
}

/** The first currency of the request's `cur` that has a rate; undefined if none has one. Without any entry it is USD. */
export function responseCurrency(cur: readonly string[] | undefined, rates: Rates): Currency | undefined {
  const entries = cur?.filter((code) => code !== '') ?? [];
  if (entries.length === 0) return usd;
  for (const code of entries) {
    const currency = currencyOf(code, rates);
    if (currency) return currency;
  }
  return undefined;
}

/** Whether the price is at least a millionth of the currency, the least that a response states. */
export const isExpressible = (priceMicros: number, { rate }: Currency): boolean => priceOf(priceMicros, rate) > 0;

/**
 * Rounded down to six decimals, but never below a floor, nor to zero. A price that equals the bid or a floor is that amount as it was sent,
 * if it was sent in this currency: conversion to micros and back would change it.
 */
export function responsePrice(priceMicros: number, { code, rate }: Currency, bid: Amount, floors: Amount[]): number {
  let price = priceOf(priceMicros, rate);
  if (bid.currency.code === code) {
    const ownPrice = roundDown(bid.amount);
    price = priceMicros >= toMicros(bid.amount, bid.currency.rate) ? ownPrice : Math.min(price, ownPrice);
  }
  for (const { amount, currency } of floors) {
    if (currency.code === code && priceMicros === toMicros(amount, rate)) price = Math.min(price, amount);
  }
  for (const { amount, currency } of floors) {
    price = Math.max(price, currency.code === code ? amount : roundUp((amount * currency.rate) / rate));
  }
  return price || millionth;
}

const millionth = 0.000_001;

/** In millionths: after conversion, 0.46 is slightly less than 460,000 millionths. */
const roundingTolerance = 1e-3;

/** `rate` is US dollars per unit of the price's currency. Rounded down to six decimals. */
export const priceOf = (micros: number, rate: number): number => roundDown(micros / 1_000_000 / rate);

const roundDown = (price: number): number => Math.floor(price * 1_000_000 + roundingTolerance) / 1_000_000;
const roundUp = (price: number): number => Math.ceil(price * 1_000_000 - roundingTolerance) / 1_000_000;
