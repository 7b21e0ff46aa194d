/** The station "auction": asks every partner, picks a winner for each impression, groups the winners by seat. */
import type { Auction, OfferedBid, Partner } from '../demand/adapter.ts';
import type { Bid, PartnerReport, SeatBid } from '../openrtb/bid-response.ts';
import { type AuctionType, pickWinner, type Rival } from './pick-winner.ts';

/** What an auction came to: the winning bids by seat, and what each partner that was asked did. */
export interface AuctionResult {
  seatbid: SeatBid[];
  partners: PartnerReport[];
}

export interface AuctionTerms {
  type: AuctionType;
  /** A test auction is among the partners that take test traffic. */
  test: boolean;
}

/** The port behind which the exchange holds its auctions. */
export type RunAuction = (auction: Auction, terms: AuctionTerms) => AuctionResult;

export const createRunAuction =
  (partners: readonly Partner[], now: () => number): RunAuction =>
  (auction, { type, test }) => {
    const rivals: Rival<OfferedBid>[] = [];
    const reports: PartnerReport[] = [];
    for (const [rank, partner] of partners.entries()) {
      if (test && !partner.test) continue;
      const askedAt = now();
      const bids = partner.offer(auction);
      rivals.push(...bids.map((bid) => ({ rank, bid })));
      reports.push({
        name: partner.name,
        outcome: bids.length > 0 ? 'bid' : 'no_bid',
        durationMs: now() - askedAt,
        bids: bids.length,
        rejected: [],
      });
    }
    return { seatbid: groupBySeat(winners(auction, rivals, type), partners), partners: reports };
  };

interface Winner {
  rank: number;
  bid: Bid;
}

function winners(auction: Auction, rivals: readonly Rival<OfferedBid>[], type: AuctionType): Winner[] {
  return auction.impressions.flatMap(({ imp, floorMicros }) => {
    const here = rivals.filter(({ bid }) => bid.impid === imp.id);
    const won = pickWinner(here, floorMicros, type);
    return won ? [{ rank: won.rival.rank, bid: toBid(won.rival.bid, won.priceMicros) }] : [];
  });
}

function toBid({ id, impid, adm, adomain, crid, cid }: OfferedBid, priceMicros: number): Bid {
  return {
    id,
    impid,
    price: priceMicros / 1_000_000,
    adm,
    ...(adomain && { adomain }),
    crid,
    ...(cid !== undefined && { cid }),
    mtype: 4,
  };
}

function groupBySeat(won: readonly Winner[], partners: readonly Partner[]): SeatBid[] {
  return partners.flatMap(({ name }, rank) => {
    const bid = won.filter((winner) => winner.rank === rank).map((winner) => winner.bid);
    return bid.length > 0 ? [{ seat: name, bid }] : [];
  });
}
