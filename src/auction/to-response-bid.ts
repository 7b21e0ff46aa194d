/** A winning bid as the caller gets it: the members that are known, where the partner gave them and they are sound. */
import { isNonEmptyString } from '../json/guards.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { ValidBid } from './check-bid.ts';

export function toResponseBid({ impression, offer, adm }: ValidBid, priceMicros: number, requestId: string): Bid {
  const { id, nurl, burl, adomain, crid, cid, cat, exp } = offer;
  const bidId = asText(id) ?? `${requestId}:${impression.imp.id}`;
  const bid: Bid = {
    id: bidId,
    impid: impression.imp.id,
    price: priceMicros / 1_000_000,
    adm,
    crid: asText(crid) ?? bidId, // callers drop bids without one
    mtype: 4,
  };
  if (isNonEmptyString(nurl)) bid.nurl = nurl;
  if (isNonEmptyString(burl)) bid.burl = burl;
  if (areTexts(adomain)) bid.adomain = adomain;
  if (isNonEmptyString(cid)) bid.cid = cid;
  if (areTexts(cat)) bid.cat = cat;
  if (Number.isInteger(exp)) bid.exp = exp as number;
  return bid;
}

/** Some partners write their ids as numbers. */
const asText = (id: unknown): string | undefined =>
  Number.isFinite(id) ? String(id) : isNonEmptyString(id) ? id : undefined;

const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isNonEmptyString);
