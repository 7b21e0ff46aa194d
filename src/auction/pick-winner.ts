/** Picks the winner of an impression and its price. Pure; money in micros of a US dollar. */

/** 1, first price: the winner pays its bid. 2, second price: one cent above the best bid of another partner. */
export type AuctionType = 1 | 2;

/** A valid bid; `rank` is its partner's position in the partners file, which breaks ties. */
export interface Candidate<B extends { priceMicros: number }> {
  rank: number;
  bid: B;
}

const centMicros = 10_000;

export function pickWinner<B extends { priceMicros: number }>(
  candidates: readonly Candidate<B>[],
  floorMicros: number,
  type: AuctionType,
): { candidate: Candidate<B>; priceMicros: number } | undefined {
  let best: Candidate<B> | undefined;
  for (const candidate of candidates) {
    if (candidate.bid.priceMicros >= floorMicros && (!best || beats(candidate, best))) best = candidate;
  }
  if (!best) return undefined;
  if (type === 1) return { candidate: best, priceMicros: best.bid.priceMicros };
  const second = bestPriceOfOthers(best, candidates);
  const secondPrice = second >= floorMicros && second > 0 ? second + centMicros : floorMicros || centMicros;
  return { candidate: best, priceMicros: Math.min(secondPrice, best.bid.priceMicros) };
}

function beats<B extends { priceMicros: number }>(candidate: Candidate<B>, best: Candidate<B>): boolean {
  const difference = candidate.bid.priceMicros - best.bid.priceMicros;
  return difference > 0 || (difference === 0 && candidate.rank < best.rank);
}

/** The highest price of the other partners; 0 if there is none. */
function bestPriceOfOthers<B extends { priceMicros: number }>(
  best: Candidate<B>,
  candidates: readonly Candidate<B>[],
): number {
  let price = 0;
  for (const { rank, bid } of candidates) if (rank !== best.rank) price = Math.max(price, bid.priceMicros);
  return price;
}
