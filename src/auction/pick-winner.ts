/** Who wins an impression and at what price. Pure; money in micros of a US dollar. */

/** 1: the winner pays its bid. 2: one cent above the best other partner, within floor and own bid. */
export type AuctionType = 1 | 2;

/** A bid in the running; `rank` is its partner's place in the partners file, by which ties are settled. */
export interface Candidate<B extends { priceMicros: number }> {
  rank: number;
  bid: B;
}

const centMicros = 10_000;

export function pickWinner<B extends { priceMicros: number }>(
  rivals: readonly Candidate<B>[],
  floorMicros: number,
  type: AuctionType,
): { rival: Candidate<B>; priceMicros: number } | undefined {
  let best: Candidate<B> | undefined;
  for (const rival of rivals) if (rival.bid.priceMicros >= floorMicros && (!best || beats(rival, best))) best = rival;
  if (!best) return undefined;
  if (type === 1) return { rival: best, priceMicros: best.bid.priceMicros };
  const second = bestPriceBeside(best, rivals);
  const asked = second >= floorMicros && second > 0 ? second + centMicros : floorMicros || centMicros;
  return { rival: best, priceMicros: Math.min(asked, best.bid.priceMicros) };
}

function beats<B extends { priceMicros: number }>(rival: Candidate<B>, best: Candidate<B>): boolean {
  const lead = rival.bid.priceMicros - best.bid.priceMicros;
  return lead > 0 || (lead === 0 && rival.rank < best.rank);
}

/** Of the other partners; 0 where there is none. */
function bestPriceBeside<B extends { priceMicros: number }>(
  best: Candidate<B>,
  rivals: readonly Candidate<B>[],
): number {
  let price = 0;
  for (const { rank, bid } of rivals) if (rank !== best.rank) price = Math.max(price, bid.priceMicros);
  return price;
}
