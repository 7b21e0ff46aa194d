/** The price of a winner in the currency of the response, with the floors as the request gave them. */
import type { Impression } from '../demand/adapter.ts';
import type { Rates } from '../money/rates.ts';
import { type Amount, type Currency, currencyOf, responsePrice, usd } from '../money/response-price.ts';
import type { ValidBid } from './check-bid.ts';

export interface PriceTerms {
  rates: Rates;
  /** The currency of the response; USD if absent. */
  currency?: Currency;
}

/** The members of a bid's deal that its price depends on. */
interface DealFloor {
  id?: unknown;
  bidfloor?: number;
  bidfloorcur?: unknown;
}

export function priceInResponse(
  { impression, bid }: ValidBid,
  priceMicros: number,
  { rates, currency = usd }: PriceTerms,
): number {
  const floors = floorsOf(impression, bid.dealid, rates);
  if (currency === usd && floors.every((floor) => floor.currency === usd)) return priceMicros / 1_000_000;
  const bidAmount: Amount = { amount: bid.price as number, currency: currencyOf(bid.currency, rates) ?? usd };
  return responsePrice(priceMicros, currency, bidAmount, floors);
}

/** The floors that are not zero; the floor of the deal counts if the bid names one. */
function floorsOf({ imp }: Impression, dealid: unknown, rates: Rates): Amount[] {
  const deals = (dealid === undefined ? undefined : imp.pmp?.deals) as readonly DealFloor[] | undefined;
  const floors: Amount[] = [];
  for (const { bidfloor = 0, bidfloorcur } of [imp, deals?.find(({ id }) => id === dealid) ?? {}]) {
    const currency = currencyOf(bidfloorcur, rates);
    if (currency && bidfloor > 0) floors.push({ amount: bidfloor, currency });
  }
  return floors;
}
