/** A winning bid as the caller gets it: the members that the partner sent, of the right type and within their bounds. */
import type { UncheckedBid } from '../demand/adapter.ts';
import type { Bid, BidExt } from '../openrtb/bid-response.ts';
import {
  boundedDsa,
  boundedIntegers,
  boundedString,
  boundedStrings,
  boundedUrl,
  isSafeInteger,
} from '../openrtb/bid-bounds.ts';
import type { ValidBid } from './check-bid.ts';

export function toResponseBid({ impression, bid, adm }: ValidBid, price: number, requestId: string): Bid {
  const bidId = toId(bid.id) ?? `${requestId}:${impression.imp.id}`;
  const response: Bid = {
    id: bidId,
    impid: impression.imp.id,
    price,
    adm,
    crid: toId(bid.crid) ?? bidId, // callers drop bids without one
    mtype: 4,
  };
  addNotices(response, bid);
  addLists(response, bid);
  const { cattax, exp } = bid;
  if (isSafeInteger(cattax)) response.cattax = cattax;
  if (isSafeInteger(exp) && exp > 0) response.exp = exp;
  for (const name of strings) {
    const value = boundedString(bid[name]);
    if (value !== undefined) response[name] = value;
  }
  const ext = toExt(bid);
  if (ext) response.ext = ext;
  return response;
}

const strings = ['bundle', 'cid', 'language', 'dealid'] as const;

/** Some partners send numbers as ids. */
const toId = (id: unknown): string | undefined => (Number.isFinite(id) ? String(id) : boundedString(id));

/** Win, billing and loss notices. */
function addNotices(response: Bid, bid: UncheckedBid): void {
  const nurl = boundedUrl(bid.nurl);
  const burl = boundedUrl(bid.burl);
  const lurl = boundedUrl(bid.lurl);
  if (nurl !== undefined) response.nurl = nurl;
  if (burl !== undefined) response.burl = burl;
  if (lurl !== undefined) response.lurl = lurl;
}

function addLists(response: Bid, bid: UncheckedBid): void {
  const adomain = boundedStrings(bid.adomain);
  const cat = boundedStrings(bid.cat);
  const attr = boundedIntegers(bid.attr);
  if (adomain !== undefined) response.adomain = adomain;
  if (cat !== undefined) response.cat = cat;
  if (attr !== undefined) response.attr = attr;
}

function toExt({ ext, buyerSeat }: UncheckedBid): BidExt | undefined {
  const dsa = boundedDsa(ext);
  const seat = boundedString(buyerSeat);
  if (!dsa && seat === undefined) return undefined;
  return { ...(dsa && { dsa }), ...(seat !== undefined && { service: { buyerSeat: seat } }) };
}
