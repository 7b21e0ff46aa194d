/** Prepares a bidder's response to a bid request: selects a creative and a price per impression. */
import { hashText } from '../hash.ts';
import type { PartnerResponse, ResponseOptions } from '../respond.ts';
import { buildNativeResponse, type Creative } from './native-response.ts';
import { type Impression, type ParsedBidRequest, parseBidRequest } from './parse-bid-request.ts';

export interface Bidder {
  name: string;
  /** It bids on impressions with a floor in this currency, if the exchange accepts bids in it. */
  currency: string;
  /** Whether the markup has the root key `native` of Native 1.0. */
  hasNativeRoot: boolean;
  creatives: readonly Creative[];
}

const minCents = 50;
const maxCents = 400;
/** The minimum price of a creative with a preferred keyword. */
const minPreferredCents = 225;

const bidExpirySeconds = 300;

/** Throws BadRequest. */
export function prepareBidResponse(bidder: Bidder, body: string): ResponseOptions {
  const request = parseBidRequest(body);
  return {
    key: `${bidder.name} ${request.id}`,
    delayMs: delayOf(bidder, request),
    respond: () => buildResponse(bidder, request),
    noBid: { status: 204 },
    wrongBody: () => toJson(bidder, `${request.id}-other`, createBids(bidder, request)),
  };
}

/** The longest delay of a creative that the keywords of the request select. */
function delayOf({ creatives }: Bidder, { keywords }: ParsedBidRequest): number {
  return creatives.reduce(
    (longest, { delayMs = 0, onlyKeyword }) =>
      onlyKeyword !== undefined && keywords.has(onlyKeyword) ? Math.max(longest, delayMs) : longest,
    0,
  );
}

function buildResponse(bidder: Bidder, request: ParsedBidRequest): PartnerResponse {
  const bids = createBids(bidder, request);
  return bids.length === 0 ? { status: 204 } : { status: 200, body: toJson(bidder, request.id, bids) };
}

const toJson = ({ name, currency }: Bidder, id: string, bid: object[]): string =>
  JSON.stringify({ id, seatbid: [{ seat: `${name}-desk`, bid }], cur: currency });

function createBids(bidder: Bidder, request: ParsedBidRequest): object[] {
  const { currency } = bidder;
  if (request.currencies?.includes(currency) === false) return [];
  const impressions = request.impressions.filter(({ floorCurrency }) => floorCurrency === currency);
  return impressions.flatMap((impression) => createBid(bidder, request, impression) ?? []);
}

function createBid(bidder: Bidder, request: ParsedBidRequest, impression: Impression): object | undefined {
  const { name, hasNativeRoot } = bidder;
  const hash = hashText(`${name} ${request.id} ${impression.id}`);
  for (const { creative, preferred } of rankCreatives(bidder, request, hash)) {
    if (!isTargeted(creative, request, impression)) continue;
    const price = creative.cpm ?? priceOf(hash, preferred);
    if (price < impression.floor && !creative.ignoresLimits) continue;
    const crid = `${name}-${creative.name}`;
    const native = buildNativeResponse(creative, impression, `https://${name}.example/${crid}`);
    if (!native) continue;
    const id = `${name}-${hash.toString(16).padStart(8, '0')}`;
    return {
      id,
      impid: impression.id,
      price,
      adm: JSON.stringify(hasNativeRoot ? { native } : native),
      nurl: `https://${name}.example/win?bid=${id}&price=\${AUCTION_PRICE}`,
      burl: `https://${name}.example/bill?bid=${id}&price=\${AUCTION_PRICE}`,
      adomain: [creative.domain],
      crid,
      cid: creative.name,
      cat: creative.cat,
      mtype: 4,
      exp: bidExpirySeconds,
      dealid: creative.onlyDeal,
      ...creative.bid,
    };
  }
  return undefined;
}

function isTargeted(
  { onlyKeyword, onlyDeal }: Creative,
  { keywords }: ParsedBidRequest,
  { deals }: Impression,
): boolean {
  return (onlyKeyword === undefined || keywords.has(onlyKeyword)) && (onlyDeal === undefined || deals.has(onlyDeal));
}

/** Creatives with a preferred keyword come first; the hash rotates the order within both groups. */
function rankCreatives(
  { creatives }: Bidder,
  { keywords }: ParsedBidRequest,
  hash: number,
): { creative: Creative; preferred: boolean }[] {
  const offset = hash % creatives.length;
  const rotated = [...creatives.slice(offset), ...creatives.slice(0, offset)].map((creative) => ({
    creative,
    preferred: keywords.size > 0 && (creative.preferredKeywords?.some((keyword) => keywords.has(keyword)) ?? false),
  }));
  return [...rotated.filter(({ preferred }) => preferred), ...rotated.filter(({ preferred }) => !preferred)];
}

/** In the currency of the bidder, with two decimals. */
function priceOf(hash: number, preferred: boolean): number {
  const lowest = preferred ? minPreferredCents : minCents;
  return (lowest + (hash % (maxCents - lowest + 1))) / 100;
}
