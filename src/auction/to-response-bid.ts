/** A winning bid as the caller gets it: the members that the partner sent, of the right type and within their bounds. */
import type { Bid } from '../openrtb/bid-response.ts';
import { boundedString, boundedStrings, boundedUrl } from './bid-bounds.ts';
import type { ValidBid } from './check-bid.ts';

export function toResponseBid({ impression, bid, adm }: ValidBid, priceMicros: number, requestId: string): Bid {
  const { exp } = bid;
  const bidId = toId(bid.id) ?? `${requestId}:${impression.imp.id}`;
  const response: Bid = {
    id: bidId,
    impid: impression.imp.id,
    price: priceMicros / 1_000_000,
    adm,
    crid: toId(bid.crid) ?? bidId, // callers drop bids without one
    mtype: 4,
  };
  const nurl = boundedUrl(bid.nurl);
  const burl = boundedUrl(bid.burl);
  const adomain = boundedStrings(bid.adomain);
  const cid = boundedString(bid.cid);
  const cat = boundedStrings(bid.cat);
  if (nurl !== undefined) response.nurl = nurl;
  if (burl !== undefined) response.burl = burl;
  if (adomain !== undefined) response.adomain = adomain;
  if (cid !== undefined) response.cid = cid;
  if (cat !== undefined) response.cat = cat;
  if (Number.isInteger(exp)) response.exp = exp as number;
  return response;
}

/** Some partners send numbers as ids. */
const toId = (id: unknown): string | undefined => (Number.isFinite(id) ? String(id) : boundedString(id));
