/** The station "auction": collects the bids, picks a winner for each impression, groups the winners by seat. */
import type { Auction } from '../demand/adapter.ts';
import type { Partner } from '../demand/partner.ts';
import type { PartnerResult } from '../demand/partner-result.ts';
import type { PartnerReport, SeatBid } from '../openrtb/bid-response.ts';
import type { DropReason } from './check-bid.ts';
import { collect, type Inquiry } from './collect.ts';
import type { Deadline } from './deadline.ts';
import { type AuctionType, pickWinner, type Rival } from './pick-winner.ts';
import { toResponseBid } from './to-response-bid.ts';

/** What an auction came to: the winning bids by seat, and what each partner that was asked did. */
export interface AuctionResult {
  seatbid: SeatBid[];
  partners: PartnerReport[];
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
      done({ seatbid, partners: inquiries.map(toReport) });
    });
}

/** The winners, one `seatbid` a partner, in the order of partners and impressions. */
function clear(
  { request, impressions }: Auction,
  inquiries: readonly Inquiry[],
  type: AuctionType,
  recorder: AuctionRecorder | undefined,
): SeatBid[] {
  const seats = inquiries.map(({ partner }): SeatBid => ({ seat: partner.name, bid: [] }));
  const rivals = inquiries.flatMap(({ valid }, rank) => valid.map((bid) => ({ rank, bid })));
  const won = new Set<unknown>();
  for (const impression of impressions) {
    const winner = pickWinner(
      rivals.filter(({ bid }) => bid.impression === impression),
      impression.floorMicros,
      type,
    );
    if (!winner) continue;
    won.add(winner.rival);
    seats[winner.rival.rank]!.bid.push(toResponseBid(winner.rival.bid, winner.priceMicros, request.id));
  }
  if (recorder) count(inquiries, rivals, won, recorder);
  return seats.filter(({ bid }) => bid.length > 0);
}

function count(
  inquiries: readonly Inquiry[],
  rivals: readonly Rival<{ priceMicros: number }>[],
  won: ReadonlySet<unknown>,
  recorder: AuctionRecorder,
): void {
  for (const rival of rivals) recorder.bid(inquiries[rival.rank]!.partner.name, won.has(rival) ? 'won' : 'lost');
  for (const { partner, dropped } of inquiries) for (const { reason } of dropped) recorder.bid(partner.name, reason);
}

const toReport = ({ partner, result, durationMs, offered, dropped }: Inquiry): PartnerReport => ({
  name: partner.name,
  outcome: result,
  durationMs: Math.round(durationMs * 1000) / 1000,
  bids: offered,
  rejected: dropped.map(({ reason, impid }) => ({ reason, impid })),
});
