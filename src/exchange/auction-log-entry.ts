/** The entries of the auction log: one per impression sold, with what reconciles it and without personal data. */
import type { Competition } from '../auction/competition.ts';
import type { Rates } from '../money/rates.ts';
import { priceOf } from '../money/response-price.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { BidResponse } from '../openrtb/bid-response.ts';
import { publisherIdOf } from '../openrtb/publisher-id.ts';

/** An auction with a winner, as its outcome carries it. */
export interface SoldAuction {
  request: BidRequest;
  type: number;
  rates: Rates;
  competition: () => Competition;
}

/** The members in their order in a line. A member that does not apply is undefined, so it is not written. */
export interface AuctionLogEntry {
  /** ISO 8601, UTC, with milliseconds. */
  time: string;
  /** Unique: the `X-Request-Id` of the response. */
  auctionId: string;
  /** `id` of the bid request, which the caller chooses. */
  requestId: string;
  publisherId: string | undefined;
  siteDomain: string | undefined;
  appBundle: string | undefined;
  impId: string;
  bidId: string;
  dealId: string | undefined;
  /** The partner. */
  seat: string;
  /** The seat in the partner's own response. */
  buyerSeat: string | undefined;
  /** CPM in `currency`, as in the response. */
  price: number;
  currency: string;
  /** 1 first price, 2 second price, 3 the deal's fixed price. */
  type: number;
  /** The highest valid bid of another partner, in `currency`. */
  secondPrice: number | undefined;
  partners: string[];
  bids: number;
}

/** `auctionId` is unique per auction; `timeMs` is when the response was sent. */
export function toAuctionLogEntries(
  auctionId: string,
  timeMs: number,
  response: BidResponse,
  { request, type, rates, competition }: SoldAuction,
): AuctionLogEntry[] {
  const { partners, bids, secondMicros } = competition();
  const { id: requestId, site, app } = request;
  const { cur: currency } = response;
  const time = new Date(timeMs).toISOString();
  return response.seatbid.flatMap(({ seat, bid: sold }) =>
    sold.map((bid): AuctionLogEntry => {
      const { dealid, ext } = bid;
      return {
        time,
        auctionId,
        requestId,
        publisherId: publisherIdOf(request),
        siteDomain: site?.domain,
        appBundle: app?.bundle,
        impId: bid.impid,
        bidId: bid.id,
        dealId: dealid,
        seat,
        buyerSeat: ext?.service?.buyerSeat,
        price: bid.price,
        currency,
        type: dealType(request, bid.impid, dealid) ?? type,
        secondPrice: convert(secondMicros.get(bid.impid), rates.dollarsPer(currency)),
        partners,
        bids,
      };
    }),
  );
}

/** A deal may have an auction type of its own. */
function dealType({ imp }: BidRequest, impId: string, dealId: string | undefined): number | undefined {
  if (dealId === undefined) return undefined;
  const deals = imp.find(({ id }) => id === impId)?.pmp?.deals;
  return deals?.find(({ id }) => id === dealId)?.at;
}

function convert(micros: number | undefined, rate: number | undefined): number | undefined {
  return micros === undefined || rate === undefined ? undefined : priceOf(micros, rate);
}
