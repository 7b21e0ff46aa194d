/** A winning bid as the caller gets it: the members that the partner sent and that have the right type. */
import { isNonEmptyString } from '../json/guards.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { ValidBid } from './check-bid.ts';

export function toResponseBid({ impression, bid, adm }: ValidBid, priceMicros: number, requestId: string): Bid {
  const { id, nurl, burl, adomain, crid, cid, cat, exp } = bid;
  const bidId = toId(id) ?? `${requestId}:${impression.imp.id}`;
  const response: Bid = {
    id: bidId,
    impid: impression.imp.id,
    price: priceMicros / 1_000_000,
    adm,
    crid: toId(crid) ?? bidId, // callers drop bids without one
    mtype: 4,
  };
  if (isNonEmptyString(nurl)) response.nurl = nurl;
  if (isNonEmptyString(burl)) response.burl = burl;
  if (areNonEmptyStrings(adomain)) response.adomain = adomain;
  if (isNonEmptyString(cid)) response.cid = cid;
  if (areNonEmptyStrings(cat)) response.cat = cat;
  if (Number.isInteger(exp)) response.exp = exp as number;
  return response;
}

/** Some partners send numbers as ids. */
function toId(id: unknown): string | undefined {
  if (Number.isFinite(id)) return String(id);
  return isNonEmptyString(id) ? id : undefined;
}

const areNonEmptyStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isNonEmptyString);
