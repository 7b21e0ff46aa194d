/** The station "auction": collects the bids, picks a winner for each impression, groups the winners by seat. */
import type { Auction, Impression } from '../demand/adapter.ts';
import type { Partner } from '../demand/partner.ts';
import type { PartnerResult } from '../demand/partner-result.ts';
import type { Bid, PartnerReport, SeatBid } from '../openrtb/bid-response.ts';
import type { DropReason, ValidBid } from './check-bid.ts';
import { collect, type PartnerOutcome } from './collect-bids.ts';
import type { Deadline } from './deadline.ts';
import { type AuctionType, pickWinner, type Candidate } from './pick-winner.ts';
import { toResponseBid } from './to-response-bid.ts';

/** What an auction came to: the winning bids by seat. */
export interface AuctionResult {
  seatbid: SeatBid[];
  /** Of each partner that was asked. */
  reports: () => PartnerReport[];
}

export interface AuctionTerms {
  type: AuctionType;
  /** A test auction is among the partners that take test traffic, and is not counted. */
  test: boolean;
  deadline: Deadline;
}

/** The port behind which the exchange holds its auctions. Calls back once, perhaps before it returns. */
export type RunAuction = (auction: Auction, terms: AuctionTerms, done: (result: AuctionResult) => void) => void;

/** Every bid received is counted once, every partner asked is counted once. */
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
  return (auction, { type, test, deadline }, done) =>
    collect(test ? testPartners : partners, auction, deadline, nowMs, (inquiries) => {
      const seatbid = clear(auction, inquiries, type, test ? undefined : recorder);
      if (!test)
        for (const { partner, result, durationMs } of inquiries) recorder.partner(partner.name, result, durationMs);
      done({ seatbid, reports: () => inquiries.map(toReport) });
    });
}

/** The winners, one `seatbid` a partner, in the order of partners and impressions. */
function clear(
  { request, impressions }: Auction,
  inquiries: readonly PartnerOutcome[],
  type: AuctionType,
  recorder: AuctionRecorder | undefined,
): SeatBid[] {
  const won = inquiries.map((): Bid[] => []);
  const winners: ValidBid[] = [];
  for (const impression of impressions) {
    const winner = pickWinner(rivalsFor(impression, inquiries), impression.floorMicros, type);
    if (!winner) continue;
    const { rank, bid } = winner.rival;
    winners.push(bid);
    won[rank]!.push(toResponseBid(bid, winner.priceMicros, request.id));
  }
  if (recorder) count(inquiries, winners, recorder);
  const seats: SeatBid[] = [];
  for (const [rank, bid] of won.entries()) if (bid.length > 0) seats.push({ seat: inquiries[rank]!.partner.name, bid });
  return seats;
}

function rivalsFor(impression: Impression, inquiries: readonly PartnerOutcome[]): Candidate<ValidBid>[] {
  const rivals: Candidate<ValidBid>[] = [];
  for (const [rank, { valid }] of inquiries.entries())
    for (const bid of valid) if (bid.impression === impression) rivals.push({ rank, bid });
  return rivals;
}

function count(inquiries: readonly PartnerOutcome[], winners: readonly ValidBid[], recorder: AuctionRecorder): void {
  for (const { partner, valid, dropped } of inquiries) {
    for (const bid of valid) recorder.bid(partner.name, winners.includes(bid) ? 'won' : 'lost');
    for (const { reason } of dropped) recorder.bid(partner.name, reason);
  }
}

const toReport = ({ partner, result, durationMs, offered, dropped }: PartnerOutcome): PartnerReport => ({
  name: partner.name,
  outcome: result,
  durationMs: Math.round(durationMs * 1000) / 1000,
  bids: offered,
  rejected: dropped.map(({ reason, impid }) => ({ reason, impid })),
});
