/** The price of a winner in the currency of the response, with the floors as the request gave them. */
import type { Impression } from '../demand/adapter.ts';
import type { Rates } from '../money/rates.ts';
import { type Amount, type Currency, currencyOf, responsePrice, usd } from '../money/response-price.ts';
import type { OfferedDeal } from '../openrtb/deals.ts';
import type { ValidBid } from './check-bid.ts';

export interface PriceTerms {
  rates: Rates;
  /** The currency of the response. */
  currency: Currency;
}

export function priceInResponse(
  { impression, bid, deal }: ValidBid,
  priceMicros: number,
  { rates, currency }: PriceTerms,
): number {
  const floors = floorsOf(impression, deal, rates);
  const price = priceMicros / 1_000_000;
  if (currency === usd && floors.every((floor) => floor.currency === usd && floor.amount <= price)) return price;
  const bidAmount: Amount = { amount: bid.price as number, currency: currencyOf(bid.currency, rates) ?? usd };
  return responsePrice(priceMicros, currency, bidAmount, floors);
}

/** The floors that are not zero, of the impression and of the deal of the bid. */
function floorsOf({ imp }: Impression, deal: OfferedDeal | undefined, rates: Rates): Amount[] {
  const floors: Amount[] = [];
  for (const { bidfloor = 0, bidfloorcur } of deal ? [imp, deal.terms] : [imp]) {
    const currency = currencyOf(bidfloorcur, rates);
    if (currency && bidfloor > 0) floors.push({ amount: bidfloor, currency });
  }
  return floors;
}
