/** Runs one auction: collects the bids, picks a winner for each impression, groups the winners by seat. */
import type { Auction, Impression } from '../demand/adapter.ts';
import type { CountedReasons } from '../demand/count-reasons.ts';
import type { Partner } from '../demand/partner.ts';
import type { PartnerResult } from '../demand/partner-result.ts';
import { roundToMicroseconds } from '../format/round-to-microseconds.ts';
import type { PartnerReport } from '../contract/partner-report.ts';
import type { Bid, SeatBid } from '../openrtb/bid-response.ts';
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
  /** One entry per partner that counted why none of its offers became a bid. */
  countedReasons: () => CountedReasons[];
  /** Since the start of the auction, in milliseconds. */
  deadlines: () => AuctionDeadlines;
  competition: () => Competition;
}

/** Both are 0 if the request arrived so long ago that its time was over. */
export interface AuctionDeadlines {
  softDeadlineMs: number;
  hardDeadlineMs: number;
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
  /** `paidMicros` is the price of a bid that won: US dollars per thousand impressions, in micros. */
  bid(name: string, result: 'won' | 'lost' | DropReason, paidMicros?: number): void;
}

export function createRunAuction(
  partners: readonly Partner[],
  nowMs: () => number,
  recorder: AuctionRecorder,
): RunAuction {
  const testPartners = partners.filter(({ test }) => test);
  return async (auction, terms) => {
    const { test, publisher, deadline } = terms;
    const all = test ? testPartners : partners;
    const called = publisher ? all.filter(({ name }) => publisher.allowsPartner(name)) : all;
    const startedAtMs = nowMs();
    const outcomes = await collectBids(called, auction, terms, nowMs);
    const { seatbid, winners, paidMicros } = clear(auction, outcomes, terms);
    if (!test) record(outcomes, winners, paidMicros, recorder);
    return {
      seatbid,
      reports: () => reportAll(all, outcomes, { auction, startedAtMs, winners, terms }),
      countedReasons: () => outcomes.map(({ explain }) => explain?.()).filter((reason) => typeof reason === 'object'),
      deadlines: () => ({
        softDeadlineMs: roundToMicroseconds(Math.max(0, Math.min(deadline.softAtMs, deadline.hardAtMs) - startedAtMs)),
        hardDeadlineMs: roundToMicroseconds(Math.max(0, deadline.hardAtMs - startedAtMs)),
      }),
      competition: () => competitionOf(outcomes, winners),
    };
  };
}

/** The winners and what each pays; one `seatbid` per partner, in the order of partners and impressions. */
function clear(
  { request, impressions }: Auction,
  outcomes: readonly PartnerOutcome[],
  terms: AuctionTerms,
): { seatbid: SeatBid[]; winners: ValidBid[]; paidMicros: number[] } {
  const bidsByPartner = outcomes.map((): Bid[] => []);
  const winners: ValidBid[] = [];
  const paidMicros: number[] = [];
  for (const impression of impressions) {
    const winner = pickWinner(candidatesFor(impression, outcomes), impression.floorMicros, terms.type);
    if (!winner) continue;
    const { rank, bid } = winner.candidate;
    winners.push(bid);
    paidMicros.push(winner.priceMicros);
    const price = priceInResponse(bid, winner.priceMicros, terms);
    bidsByPartner[rank]!.push(toResponseBid(bid, price, request.id));
  }
  const seatbid: SeatBid[] = [];
  for (const [rank, bid] of bidsByPartner.entries()) {
    if (bid.length > 0) seatbid.push({ seat: outcomes[rank]!.partner.name, bid });
  }
  return { seatbid, winners, paidMicros };
}

function candidatesFor(impression: Impression, outcomes: readonly PartnerOutcome[]): Candidate<ValidBid>[] {
  const candidates: Candidate<ValidBid>[] = [];
  for (const [rank, { validBids }] of outcomes.entries())
    for (const bid of validBids) if (bid.impression === impression) candidates.push({ rank, bid });
  return candidates;
}

function record(
  outcomes: readonly PartnerOutcome[],
  winners: readonly ValidBid[],
  paidMicros: readonly number[],
  recorder: AuctionRecorder,
): void {
  for (const { partner, result, durationMs, validBids, droppedBids } of outcomes) {
    recorder.partner(partner.name, result, durationMs);
    for (const bid of validBids) {
      const won = winners.indexOf(bid);
      if (won === -1) recorder.bid(partner.name, 'lost');
      else recorder.bid(partner.name, 'won', paidMicros[won]);
    }
    for (const { reason } of droppedBids) recorder.bid(partner.name, reason);
  }
}
