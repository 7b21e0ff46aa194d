/** What a partner contributed to an auction, for the report of a test auction and for the console: the bids dropped, repaired and lost. */
import type { Auction } from '../demand/adapter.ts';
import { textOf } from '../demand/count-reasons.ts';
import type { Partner } from '../demand/partner.ts';
import { roundToMicroseconds } from '../format/round-to-microseconds.ts';
import type { PartnerReport } from '../contract/partner-report.ts';
import type { ValidBid } from './check-bid.ts';
import type { PartnerOutcome } from './collect-bids.ts';
import type { Deadline } from './deadline.ts';
import { describeDrop } from './describe-drop.ts';
import { describeRemoved } from './describe-removed.ts';
import { priceInResponse, type PriceTerms } from './price-in-response.ts';

interface ReportedAuction {
  auction: Auction;
  startedAtMs: number;
  winners: readonly ValidBid[];
  terms: PriceTerms & { deadline: Deadline };
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
  detail: 'The settings of the publisher do not allow it.',
  startMs: 0,
  durationMs: 0,
  bids: 0,
  rejected: [],
  lost: [],
});

function reportOutcome(outcome: PartnerOutcome, ended: ReportedAuction): PartnerReport {
  const { partner, result, explain, startedAtMs, durationMs, deadlineMs, received, validBids, droppedBids } = outcome;
  const { auction, startedAtMs: auctionStartedAtMs, winners, terms } = ended;
  const repaired = repairsOf(validBids);
  const reason = explain?.();
  const detail = reason === undefined ? describeCancelled(outcome, ended) : textOf(reason);
  return {
    name: partner.name,
    outcome: result,
    ...(detail !== undefined && { detail }),
    startMs: roundToMicroseconds(startedAtMs - auctionStartedAtMs),
    durationMs: roundToMicroseconds(durationMs),
    ...(deadlineMs !== undefined && result !== 'skipped' && { deadlineMs: roundToMicroseconds(deadlineMs) }),
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

/** Why a call was cancelled. */
function describeCancelled(
  { partner, result, startedAtMs, durationMs }: PartnerOutcome,
  { startedAtMs: auctionStartedAtMs, terms: { deadline } }: ReportedAuction,
): string | undefined {
  const endMs = Math.round(startedAtMs + durationMs - auctionStartedAtMs);
  if (result === 'late') return `It had not responded when the auction ended after ${endMs} ms.`;
  if (result !== 'timeout') return undefined;
  return partner.timeoutMs < deadline.hardAtMs - startedAtMs
    ? `It did not respond within its timeoutMs of ${partner.timeoutMs}.`
    : `It had not responded at the auction's deadline, after ${endMs} ms.`;
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
