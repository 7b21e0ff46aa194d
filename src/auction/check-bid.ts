/** Holds one offered bid against the auction it is for. The rules stand in the order in which they are judged. */
import type { Auction, Impression, UncheckedBid } from '../demand/adapter.ts';
import { checkNativeResponse } from '../openrtb/check-native-response.ts';
import type { RawJson } from '../json/raw-json.ts';

/** Why a bid is dropped; the words of metrics and test reports. */
export type DropReason =
  | 'unknown_imp'
  | 'invalid_price'
  | 'below_floor'
  | 'currency'
  | 'no_adm'
  /** The native answer does not serve the request. */
  | 'invalid_native';

/** A bid that may win. */
export interface ValidBid {
  impression: Impression;
  priceMicros: number;
  offer: UncheckedBid;
  /** The markup, in the caller's form. */
  adm: string | RawJson;
}

const highestPrice = 100_000;
/** 2.01 dollars are a hair less than 2,010,000 micros in binary. */
const binaryDust = 1e-3;

export function checkBid(offer: UncheckedBid, { impressions }: Auction): ValidBid | DropReason {
  const impression = impressionOf(offer.impid, impressions);
  if (!impression) return 'unknown_imp';
  const priceMicros = toMicros(offer.price);
  if (priceMicros === undefined) return 'invalid_price';
  if (priceMicros < impression.floorMicros) return 'below_floor';
  if (offer.currency !== 'USD') return 'currency';
  const { native, form } = impression;
  const { built, adm } = offer;
  if (built !== undefined) return { impression, priceMicros, offer, adm: built };
  if (adm === undefined || adm === null || adm === '') return 'no_adm';
  const checked = typeof adm === 'string' ? checkNativeResponse(adm, native, form) : undefined;
  return checked === undefined ? 'invalid_native' : { impression, priceMicros, offer, adm: checked };
}

function impressionOf(impid: unknown, impressions: readonly Impression[]): Impression | undefined {
  for (const impression of impressions) if (impression.imp.id === impid) return impression;
  return undefined;
}

/** Undefined for what is no price: not a number, not above zero, not finite, or beyond all reason. */
function toMicros(price: unknown): number | undefined {
  if (typeof price !== 'number' || !(price > 0) || price > highestPrice) return undefined;
  return Math.floor(price * 1_000_000 + binaryDust) || undefined; // down: nobody pays more than was bid
}
