/** Builds the auction for a valid request: its impressions with their decoded native request and their floor in micros. */
import type { Auction, Impression, PartnerTerms } from '../demand/adapter.ts';
import { isSet } from '../json/guards.ts';
import { floorNotTraded, responseNotTraded } from '../money/currency-warnings.ts';
import { fractionalFloor, rateOf, toMicros } from '../money/micros.ts';
import type { Rates } from '../money/rates.ts';
import { type Currency, responseCurrency, usd } from '../money/response-price.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { readBlockingLists } from '../openrtb/blocking-lists.ts';
import { Deals } from '../openrtb/deals.ts';
import type { DecodedNativeRequest } from '../openrtb/native-request.ts';
import { publisherIdOf } from '../openrtb/publisher-id.ts';

export interface TradingTerms {
  type: 1 | 2;
  rates: Rates;
  /** The exchange's domain in the supply chain. */
  exchangeDomain?: string | undefined;
}

export interface BuiltAuction {
  auction: Auction;
  /** The currency of the response. */
  currency: Currency;
  /** About currencies that cannot be traded. */
  warnings: readonly Warning[];
}

/** An impression is left out if its floor has no rate, and all of them are if no currency of `cur` has one. */
export function buildAuction(
  request: BidRequest,
  natives: readonly DecodedNativeRequest[],
  { type, rates, exchangeDomain }: TradingTerms,
): BuiltAuction {
  const terms: PartnerTerms = { at: type, cur: rates.currencies };
  const sid = publisherIdOf(request);
  if (exchangeDomain !== undefined && sid) terms.schainNode = { asi: exchangeDomain, sid, rid: request.id, hp: 1 };
  const currency = responseCurrency(request.cur, rates);
  if (!currency) {
    const auction = { request, impressions: [], terms };
    return { auction, currency: usd, warnings: [responseNotTraded(rates.currencies)] };
  }
  const lists = readBlockingLists(request);
  const impressions: Impression[] = [];
  const warnings: Warning[] = [];
  for (const [index, imp] of request.imp.entries()) {
    const rate = rateOf(imp.bidfloorcur, rates);
    if (rate === undefined) {
      warnings.push(floorNotTraded(index, rates.currencies));
      continue;
    }
    const { native, form } = natives[index]!;
    const { bidfloor = 0, bidfloorcur } = imp;
    const secure = isSet(imp.secure);
    const impression: Impression = { imp, native, form, secure, floorMicros: toMicros(bidfloor, rate) };
    const fractional = fractionalFloor(bidfloor, bidfloorcur, rate);
    if (fractional) impression.fractional = fractional;
    if (imp.pmp) impression.deals = new Deals(imp.pmp, rates);
    if (lists) impression.lists = lists;
    impressions.push(impression);
  }
  return { auction: { request, impressions, terms }, currency, warnings };
}
