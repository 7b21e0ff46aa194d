/** Checks a bid against the impression it is for; the first rule that fails names the reason. */
import type { Auction, Impression, UncheckedBid } from '../demand/adapter.ts';
import { createJsonBudget, type JsonBudget, smallJsonLength } from '../json/json-budget.ts';
import { maxDepth } from '../json/parse-json.ts';
import type { RawJson } from '../json/raw-json.ts';
import { maxPrice } from '../money/max-price.ts';
import { rateOf, toMicros } from '../money/micros.ts';
import { isExpressible } from '../money/response-price.ts';
import { checkNativeResponse } from '../openrtb/check-native-response.ts';
import type { OfferedDeal } from '../openrtb/deals.ts';
import type { Detail, MarkupProblem, MarkupReason } from '../openrtb/markup-check.ts';
import { type ControlReason, dealOf, violatedControl } from '../openrtb/seller-controls.ts';
import type { PriceTerms } from './price-in-response.ts';

/** Why a bid is dropped, in the order of the checks; the values of metrics and test reports. */
export type DropReason = BidReason | MarkupReason;
export type BidReason = 'unknown_imp' | 'invalid_price' | 'currency' | ControlReason | 'no_adm';

/** A bid that may win. */
export interface ValidBid {
  impression: Impression;
  priceMicros: number;
  /** The deal that it names. */
  deal?: OfferedDeal | undefined;
  bid: UncheckedBid;
  /** The markup, wrapped or unwrapped like the caller's native request. */
  adm: string | RawJson;
  /** What was removed from the partner's markup or cut; none by default. */
  repairs?: readonly Detail[];
}

/** `budget` bounds the markup of all bids of a response together; see `markupBudget`. */
export function checkBid(
  bid: UncheckedBid,
  { request, impressions }: Auction,
  { rates, currency }: PriceTerms,
  budget?: JsonBudget,
): ValidBid | BidReason | MarkupProblem {
  const impression = findImpression(bid.impid, impressions);
  if (!impression) return 'unknown_imp';
  const rate = rateOf(bid.currency, rates);
  if (!isPrice(bid.price, rate)) return 'invalid_price';
  if (rate === undefined) return 'currency';
  const priceMicros = toMicros(bid.price, rate);
  if (!isExpressible(priceMicros, currency)) return 'invalid_price';
  const violated = violatedControl(bid, priceMicros, impression);
  if (violated !== undefined) return violated;
  const deal = dealOf(bid, impression);
  const { trustedAdm, adm } = bid;
  if (trustedAdm !== undefined) return { impression, priceMicros, deal, bid, adm: trustedAdm };
  if (adm === undefined || adm === null || adm === '') return 'no_adm';
  const checked = checkNativeResponse(adm, impression, request.app !== undefined, budget);
  return 'reason' in checked ? checked : { impression, priceMicros, deal, bid, ...checked };
}

/** For all bids of one response; undefined if their markup is short. 500 bids of 40 objects, 10 lists and 200 values each fit. */
export function markupBudget(bids: readonly UncheckedBid[]): JsonBudget | undefined {
  let length = 0;
  for (const { adm } of bids) if (typeof adm === 'string') length += adm.length;
  return length > smallJsonLength ? createJsonBudget({ maxDepth, containers: 25_000, values: 100_000 }) : undefined;
}

function findImpression(impid: unknown, impressions: readonly Impression[]): Impression | undefined {
  for (const impression of impressions) if (impression.imp.id === impid) return impression;
  return undefined;
}

/** `rate` is that of the bid's currency; without one, the amount counts as dollars. */
const isPrice = (price: unknown, rate = 1): price is number =>
  typeof price === 'number' && price > 0 && price * rate <= maxPrice;
