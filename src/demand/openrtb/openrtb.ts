/** The adapter `openrtb`: partners that accept OpenRTB 2.6 bid requests. */
import { describeValue } from '../../json/describe-value.ts';
import { isObject, isPresent, type JsonObject } from '../../json/guards.ts';
import { InvalidResponse, type RemoteAdapter, type UncheckedBid } from '../adapter.ts';
import { noImpression } from '../count-reasons.ts';
import { encodeRequest } from './encode-request.ts';

/** Per impression. A response with more bids, or with more seats, is invalid: checking them all would delay other requests. */
const maxBids = 50;
/** Of all bids together: each entry is compared with the seller's lists. */
const maxListEntries = 10_000;

const headers = { 'content-type': 'application/json', 'x-openrtb-version': '2.6' };

export const openrtb: RemoteAdapter = {
  kind: 'remote',
  settings: {},
  createBidder({ endpoint: url }) {
    return {
      toRequests(auction, tmaxMs) {
        if (auction.impressions.length === 0) return [];
        const body = `{"tmax":${tmaxMs},${encodeRequest(auction)}`;
        return [{ method: 'POST', url, headers, body, impressions: auction.impressions }];
      },
      toBids: (_call, response, { request, impressions }) =>
        readBidResponse(response, request.id, impressions.length * maxBids),
      explainNoBid: ({ impressions }, response) => (impressions.length === 0 ? noImpression : reasonIn(response)),
    };
  },
};

/** The partner's own reason, a code of OpenRTB. */
const reasonIn = (response: unknown): string | undefined =>
  isObject(response) && Number.isSafeInteger(response.nbr)
    ? `It gave the no-bid reason ${String(response.nbr)} (nbr).`
    : undefined;

function readBidResponse(response: unknown, requestId: string, max: number): UncheckedBid[] | InvalidResponse {
  if (!isObject(response)) return new InvalidResponse(() => `Its response ${mustBe('an object', response)}.`);
  if (isNoBid(response)) return [];
  const { id, seatbid = [], cur } = response;
  if (id !== requestId) return new InvalidResponse(() => describeId(id, requestId));
  const currency = cur === '' ? 'USD' : (cur ?? 'USD');
  if (seatbid === null) return [];
  if (!Array.isArray(seatbid)) return new InvalidResponse(() => `Its seatbid ${mustBe('an array', seatbid)}.`);
  if (seatbid.length > max) return new InvalidResponse(() => tooMany('entries in seatbid', max));
  const seats = (seatbid as unknown[]).filter(isReadable);
  if (seats.length === 0 && seatbid.length > 0) return new InvalidResponse(() => describeSeat(seatbid[0]));
  const bids: UncheckedBid[] = [];
  let listEntries = 0;
  for (const seat of seats) {
    if (!seat.bid) continue;
    if (bids.length + seat.bid.length > max) return new InvalidResponse(() => tooMany('bids', max));
    for (const bid of seat.bid) {
      bids.push(isObject(bid) ? toUncheckedBid(bid, currency, seat.seat) : {});
      listEntries += entriesOf(bids.at(-1)!);
    }
  }
  return listEntries > maxListEntries ? new InvalidResponse(() => tooManyEntries) : bids;
}

const entriesOf = ({ adomain, cat, attr }: UncheckedBid): number => lengthOf(adomain) + lengthOf(cat) + lengthOf(attr);
const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const tooManyEntries = `Its bids have more than ${maxListEntries.toLocaleString('en-US')} entries in adomain, cat and attr together.`;

const mustBe = (type: string, value: unknown): string => `must be ${type}; got ${describeValue(value)}`;

const describeId = (id: unknown, requestId: string): string =>
  isPresent(id)
    ? `Its id is ${describeValue(id)}, not ${describeValue(requestId)}.`
    : `It has no id; it must be ${describeValue(requestId)}.`;

const tooMany = (what: string, max: number): string =>
  `It has more than ${max} ${what}; at most ${maxBids} per impression are allowed.`;

/** Describes the first seat, if none is readable. */
const describeSeat = (seat: unknown): string =>
  `No entry of seatbid can be read: seatbid[0]${isObject(seat) ? `.bid ${mustBe('an array', seat.bid)}` : ` ${mustBe('an object', seat)}`}.`;

/** OpenRTB also permits `{}`, and a reason alone, for no bid. */
const isNoBid = ({ id, seatbid }: JsonObject): boolean =>
  (id === undefined || id === null) && (!seatbid || (Array.isArray(seatbid) && seatbid.length === 0));

/** An unreadable seat does not invalidate the others. Go encodes an empty list as null. */
const isReadable = (seat: unknown): seat is JsonObject & { bid?: unknown[] | null } =>
  isObject(seat) && (seat.bid === undefined || seat.bid === null || Array.isArray(seat.bid));

/** Known members only: a partner cannot set members that mean something to the exchange, such as `trustedAdm`. */
function toUncheckedBid(bid: JsonObject, currency: unknown, buyerSeat: unknown): UncheckedBid {
  const { id, impid, price, adm, nurl, burl, lurl, adomain, bundle, crid, cid, cat, cattax, attr } = bid;
  const { language, dealid, exp, ext } = bid;
  const members = { id, impid, price, adm, nurl, burl, lurl, adomain, bundle, crid, cid, cat, cattax, attr };
  return { ...members, language, dealid, exp, ext, currency, buyerSeat };
}
