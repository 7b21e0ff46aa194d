/** Runs one auction: collects the bids, picks a winner for each impression, groups the winners by seat. */
import type { Auction, Impression } from '../demand/adapter.ts';
import type { Partner } from '../demand/partner.ts';
import type { PartnerResult } from '../demand/partner-result.ts';
import type { Bid, PartnerReport, SeatBid } from '../openrtb/bid-response.ts';
import type { DropReason, ValidBid } from './check-bid.ts';
import { type Competition, competitionOf } from './competition.ts';
import { collectBids, type PartnerOutcome } from './collect-bids.ts';
import type { Deadline } from './deadline.ts';
import { reportAll } from './report-outcome.ts';
import { type AuctionType, type Candidate, pickWinner } from './pick-winner.ts';
import { type PriceTerms, priceInResponse } from './price-in-response.ts';
import { toResponseBid } from './to-response-bid.ts';

export interface AuctionResult {
  /** The winning bids. */
  seatbid: SeatBid[];
  /** One report per partner: those called, and those that the publisher excludes. */
  reports: () => PartnerReport[];
  competition: () => Competition;
}

export interface AuctionTerms extends PriceTerms {
  type: AuctionType;
  /** A test auction runs among the partners that take test traffic, and is not counted. */
  test: boolean;
  deadline: Deadline;
  /** Present if the publisher may restrict its partners. */
  publisher?: { allowsPartner(name: string): boolean } | undefined;
}

/** The port through which the exchange runs its auctions. Rejects only for a defect. */
export type RunAuction = (auction: Auction, terms: AuctionTerms) => Promise<AuctionResult>;

/** Counts every bid received once, and every partner called once. */
export interface AuctionRecorder {
  partner(name: string, result: PartnerResult, durationMs: number): void;
  bid(name: string, verdict: 'won' | 'lost' | DropReason): void;
}

export function createRunAuction(
  partners: readonly Partner[],
  nowMs: () => number,
  recorder: AuctionRecorder,
): RunAuction {
  const testPartners = partners.filter(({ test }) => test);
  return async (auction, terms) => {
    const { test, publisher } = terms;
    const all = test ? testPartners : partners;
    const called = publisher ? all.filter(({ name }) => publisher.allowsPartner(name)) : all;
    const outcomes = await collectBids(called, auction, terms, nowMs);
    const { seatbid, winners } = clear(auction, outcomes, terms);
    if (!test) record(outcomes, winners, recorder);
    return {
      seatbid,
      reports: () => reportAll(all, outcomes, { auction, winners, terms }),
      competition: () => competitionOf(outcomes, winners),
    };
  };
}

/** The winners, one `seatbid` per partner, in the order of partners and impressions. */
function clear(
  { request, impressions }: Auction,
  outcomes: readonly PartnerOutcome[],
  terms: AuctionTerms,
): { seatbid: SeatBid[]; winners: ValidBid[] } {
  const bidsByPartner = outcomes.map((): Bid[] => []);
  const winners: ValidBid[] = [];
  for (const impression of impressions) {
    const winner = pickWinner(candidatesFor(impression, outcomes), impression.floorMicros, terms.type);
    if (!winner) continue;
    const { rank, bid } = winner.candidate;
    winners.push(bid);
    const price = priceInResponse(bid, winner.priceMicros, terms);
    bidsByPartner[rank]!.push(toResponseBid(bid, price, request.id));
  }
  const seatbid: SeatBid[] = [];
  for (const [rank, bid] of bidsByPartner.entries()) {
    if (bid.length > 0) seatbid.push({ seat: outcomes[rank]!.partner.name, bid });
  }
  return { seatbid, winners };
}

function candidatesFor(impression: Impression, outcomes: readonly PartnerOutcome[]): Candidate<ValidBid>[] {
  const candidates: Candidate<ValidBid>[] = [];
  for (const [rank, { validBids }] of outcomes.entries())
    for (const bid of validBids) if (bid.impression === impression) candidates.push({ rank, bid });
  return candidates;
}

function record(outcomes: readonly PartnerOutcome[], winners: readonly ValidBid[], recorder: AuctionRecorder): void {
  for (const { partner, result, durationMs, validBids, droppedBids } of outcomes) {
    recorder.partner(partner.name, result, durationMs);
    for (const bid of validBids) recorder.bid(partner.name, winners.includes(bid) ? 'won' : 'lost');
    for (const { reason } of droppedBids) recorder.bid(partner.name, reason);
  }
}
