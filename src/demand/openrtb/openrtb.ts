/** The adapter "openrtb": partners that take OpenRTB 2.6 bid requests themselves. */
import type { BidRequest } from '../../openrtb/bid-request.ts';
import { isObject } from '../../json/guards.ts';
import { endpoint } from '../endpoint.ts';
import { type Adapter, type Auction, invalidResponse, type UncheckedBid, type PartnerSettings } from '../adapter.ts';

interface OpenRtbSettings extends PartnerSettings {
  endpoint: string;
}

/** For each impression: a partner that offers more is not bidding, and would keep the worker from the others. */
const mostBids = 50;

const headers = { 'content-type': 'application/json', 'x-openrtb-version': '2.6' };

export const openrtb: Adapter = {
  settings: {
    endpoint: endpoint({ mayHaveQuery: true }).required(),
  },
  createBidder(settings) {
    const { endpoint: url } = settings as OpenRtbSettings;
    return {
      toRequests(auction, tmaxMs) {
        const rest = encodeRest(auction);
        if (rest === undefined || auction.impressions.length === 0) return [];
        const body = `{"tmax":${tmaxMs},${rest}`;
        return [{ method: 'POST', url, headers, body, impressions: auction.impressions }];
      },
      toBids: (_call, answer, { request, impressions }) =>
        readBidResponse(answer, request.id, impressions.length * mostBids),
    };
  },
};

const encoded = new WeakMap<Auction, string | undefined>();

/** The request without its opening brace and its tmax: the same for every partner, so encoded once an auction. */
function encodeRest(auction: Auction): string | undefined {
  if (encoded.has(auction)) return encoded.get(auction);
  const text = encode(auction);
  encoded.set(auction, text);
  return text;
}

function encode({ request, impressions }: Auction): string | undefined {
  const { tmax: _own, ...rest }: BidRequest = request;
  if (impressions.length < request.imp.length) rest.imp = impressions.map(({ imp }) => imp);
  try {
    return JSON.stringify(rest).slice(1);
  } catch {
    return undefined; // nested deeper than can be written: parsing is not recursive, writing is
  }
}

function readBidResponse(answer: unknown, requestId: string, most: number): UncheckedBid[] | typeof invalidResponse {
  if (!isObject(answer) || answer.id !== requestId) return invalidResponse;
  const { seatbid = [], cur } = answer;
  const currency = typeof cur === 'string' ? cur.toUpperCase() : (cur ?? 'USD');
  if (seatbid === null) return [];
  if (!Array.isArray(seatbid)) return invalidResponse;
  const offers: UncheckedBid[] = [];
  for (const seat of seatbid as unknown[]) {
    if (!isObject(seat) || !Array.isArray(seat.bid)) return invalidResponse;
    if (offers.length + seat.bid.length > most) return invalidResponse;
    for (const bid of seat.bid as unknown[]) offers.push(isObject(bid) ? toOffer(bid, currency) : {});
  }
  return offers;
}

/** Only what is known by name: a partner cannot slip in members that mean something to us. */
function toOffer(bid: Record<string, unknown>, currency: unknown): UncheckedBid {
  const { id, impid, price, adm, nurl, burl, adomain, crid, cid, cat, exp } = bid;
  return { id, impid, price, currency, adm, nurl, burl, adomain, crid, cid, cat, exp };
}
