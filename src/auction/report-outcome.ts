/** What a partner contributed to an auction, for the report of a test auction and for the console: the bids dropped, repaired and lost. */
import type { Auction } from '../demand/adapter.ts';
import type { Partner } from '../demand/partner.ts';
import { roundToMicros } from '../format/round-to-micros.ts';
import type { PartnerReport } from '../openrtb/bid-response.ts';
import type { ValidBid } from './check-bid.ts';
import type { PartnerOutcome } from './collect-bids.ts';
import { describeDrop } from './describe-drop.ts';
import { describeRemoved } from './describe-removed.ts';
import { priceInResponse, type PriceTerms } from './price-in-response.ts';

interface ReportedAuction {
  auction: Auction;
  startedAtMs: number;
  winners: readonly ValidBid[];
  terms: PriceTerms;
}

/** Per partner. Its response may have thousands. */
const maxRepaired = 100;

/** One report per partner, in their order; a partner without an outcome was excluded by the publisher's settings. */
export function reportAll(
  partners: readonly Partner[],
  outcomes: readonly PartnerOutcome[],
  ended: ReportedAuction,
): PartnerReport[] {
  const byPartner = new Map(outcomes.map((outcome) => [outcome.partner, outcome]));
  return partners.map((partner) => {
    const outcome = byPartner.get(partner);
    return outcome ? reportOutcome(outcome, ended) : excluded(partner);
  });
}

const excluded = ({ name }: Partner): PartnerReport => ({
  name,
  outcome: 'excluded',
  startMs: 0,
  durationMs: 0,
  bids: 0,
  rejected: [],
  lost: [],
});

function reportOutcome(
  { partner, result, why, startedAtMs, durationMs, deadlineMs, received, validBids, droppedBids }: PartnerOutcome,
  { auction, startedAtMs: auctionStartedAtMs, winners, terms }: ReportedAuction,
): PartnerReport {
  const repaired = repairsOf(validBids);
  const reason = why?.();
  const detail = typeof reason === 'object' ? reason.text : reason;
  return {
    name: partner.name,
    outcome: result,
    ...(detail !== undefined && { detail }),
    startMs: roundToMicros(startedAtMs - auctionStartedAtMs),
    durationMs: roundToMicros(durationMs),
    ...(deadlineMs !== undefined && result !== 'skipped' && { deadlineMs: roundToMicros(deadlineMs) }),
    bids: received,
    rejected: droppedBids.map((dropped) => ({
      reason: dropped.reason,
      detail: 'detail' in dropped ? dropped.detail() : describeDrop(dropped.reason, dropped.bid, auction),
      impid: dropped.impid,
    })),
    lost: validBids
      .filter((bid) => !winners.includes(bid))
      .map((bid) => ({ impid: bid.impression.imp.id, price: priceInResponse(bid, bid.priceMicros, terms) })),
    ...(repaired.length > 0 && { repaired }),
  };
}

function repairsOf(bids: readonly ValidBid[]): { impid: string; detail: string }[] {
  const repaired: { impid: string; detail: string }[] = [];
  for (const { impression, bid, repairs = [] } of bids) {
    if (repaired.length >= maxRepaired) break;
    const details = [...describeRemoved(bid), ...repairs.map((detail) => detail())];
    repaired.push(...details.map((detail) => ({ impid: impression.imp.id, detail })));
  }
  return repaired.slice(0, maxRepaired);
}
