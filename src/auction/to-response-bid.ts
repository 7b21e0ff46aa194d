/** A winning bid as the caller gets it: the members that are known, where the partner gave them and they are sound. */
import type { Bid } from '../openrtb/bid-response.ts';
import type { ValidBid } from './check-bid.ts';

export function toResponseBid({ impression, offer, encodeAdm }: ValidBid, priceMicros: number, requestId: string): Bid {
  const { id, nurl, burl, adomain, crid, cid, cat, exp } = offer;
  const bidId = asText(id) ?? `${requestId}:${impression.imp.id}`;
  return {
    id: bidId,
    impid: impression.imp.id,
    price: priceMicros / 1_000_000,
    adm: encodeAdm(),
    ...(isText(nurl) && { nurl }),
    ...(isText(burl) && { burl }),
    ...(areTexts(adomain) && { adomain }),
    crid: asText(crid) ?? bidId, // callers drop bids without one
    ...(isText(cid) && { cid }),
    ...(areTexts(cat) && { cat }),
    mtype: 4,
    ...(Number.isInteger(exp) && { exp: exp as number }),
  };
}

/** Some partners write their ids as numbers. */
const asText = (id: unknown): string | undefined => (Number.isFinite(id) ? String(id) : isText(id) ? id : undefined);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
