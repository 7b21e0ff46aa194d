/** What a partner contributed to an auction, for the report of a test auction and for the console: the bids dropped, repaired and lost. */
import type { Auction } from '../demand/adapter.ts';
import type { PartnerReport } from '../openrtb/bid-response.ts';
import type { ValidBid } from './check-bid.ts';
import type { PartnerOutcome } from './collect-bids.ts';
import { describeDrop } from './describe-drop.ts';
import { priceInResponse, type PriceTerms } from './price-in-response.ts';

interface EndedAuction {
  auction: Auction;
  startedAtMs: number;
  winners: readonly ValidBid[];
  terms: PriceTerms;
}

export function reportOutcome(
  { partner, result, startedAtMs, durationMs, deadlineMs, received, validBids, droppedBids }: PartnerOutcome,
  { auction, startedAtMs: auctionStartedAtMs, winners, terms }: EndedAuction,
): PartnerReport {
  const repaired = validBids.flatMap(({ impression, repairs = [] }) =>
    repairs.map((detail) => ({ impid: impression.imp.id, detail })),
  );
  return {
    name: partner.name,
    outcome: result,
    startMs: roundToMicros(startedAtMs - auctionStartedAtMs),
    durationMs: roundToMicros(durationMs),
    ...(deadlineMs !== undefined && { deadlineMs: roundToMicros(deadlineMs) }),
    bids: received,
    rejected: droppedBids.map((dropped) => ({
      reason: dropped.reason,
      detail: 'detail' in dropped ? dropped.detail : describeDrop(dropped.reason, dropped.bid, auction),
      impid: dropped.impid,
    })),
    lost: validBids
      .filter((bid) => !winners.includes(bid))
      .map((bid) => ({ impid: bid.impression.imp.id, price: priceInResponse(bid, bid.priceMicros, terms) })),
    ...(repaired.length > 0 && { repaired }),
  };
}

/** Milliseconds with three decimals. */
export const roundToMicros = (ms: number): number => Math.round(ms * 1000) / 1000;
