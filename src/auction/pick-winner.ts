/** Picks the winner of an impression and its price. Pure; money in micros of a US dollar. */

/** 1, first price: the winner pays its bid. 2, second price: one cent above the best bid of another partner. */
export type AuctionType = 1 | 2;

/** A valid bid as the auction compares it. */
export interface PricedBid {
  priceMicros: number;
  /** Its deal, if it has one: a floor of its own, and the type of its price. 3, fixed price: the winner pays the floor. */
  deal?: { floorMicros: number; at?: AuctionType | 3 | undefined } | undefined;
}

/** `rank` is the position of the bid's partner in the partners file, which breaks ties. */
export interface Candidate<B extends PricedBid> {
  rank: number;
  bid: B;
}

const centMicros = 10_000;

export function pickWinner<B extends PricedBid>(
  candidates: readonly Candidate<B>[],
  floorMicros: number,
  type: AuctionType,
): { candidate: Candidate<B>; priceMicros: number } | undefined {
  let best: Candidate<B> | undefined;
  for (const candidate of candidates) {
    if (reachesFloor(candidate.bid, floorMicros) && (!best || beats(candidate, best))) best = candidate;
  }
  return best && { candidate: best, priceMicros: priceOf(best, candidates, floorMicros, type) };
}

/** The higher of the impression's and the deal's floor. */
const floorInForce = ({ deal }: PricedBid, floorMicros: number): number =>
  deal ? Math.max(deal.floorMicros, floorMicros) : floorMicros;

const reachesFloor = (bid: PricedBid, floorMicros: number): boolean =>
  bid.priceMicros >= floorInForce(bid, floorMicros);

/** On equal price the bid with a deal wins, then the partner that is listed first. */
function beats<B extends PricedBid>(candidate: Candidate<B>, best: Candidate<B>): boolean {
  const difference = candidate.bid.priceMicros - best.bid.priceMicros;
  if (difference !== 0) return difference > 0;
  const hasDeal = candidate.bid.deal !== undefined;
  if (hasDeal !== (best.bid.deal !== undefined)) return hasDeal;
  return candidate.rank < best.rank;
}

/** A second price is at least the floor, and at least one cent if there is no floor. */
function priceOf<B extends PricedBid>(
  winner: Candidate<B>,
  candidates: readonly Candidate<B>[],
  floorMicros: number,
  type: AuctionType,
): number {
  const { bid } = winner;
  const priceType = bid.deal?.at ?? type;
  if (priceType === 1) return bid.priceMicros;
  const floor = floorInForce(bid, floorMicros);
  const second = priceType === 2 ? bestPriceOfOthers(winner, candidates, floorMicros) : 0;
  const aboveSecond = second > 0 ? second + centMicros : 0;
  return Math.min(Math.max(aboveSecond, floor || centMicros), bid.priceMicros);
}

/** The highest price of the other partners; 0 if there is none. */
function bestPriceOfOthers<B extends PricedBid>(
  winner: Candidate<B>,
  candidates: readonly Candidate<B>[],
  floorMicros: number,
): number {
  let price = 0;
  for (const { rank, bid } of candidates) {
    if (rank !== winner.rank && reachesFloor(bid, floorMicros)) price = Math.max(price, bid.priceMicros);
  }
  return price;
}
