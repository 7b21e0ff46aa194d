/** Who wins an impression and at what price. Pure; money in micros of a US dollar. */

/** 1: the winner pays its bid. 2: one cent above the best other partner, within floor and own bid. */
export type AuctionType = 1 | 2;

/** A bid in the running; `rank` is its partner's place in the partners file, by which ties are settled. */
export interface Rival<B extends { priceMicros: number }> {
  rank: number;
  bid: B;
}

const centMicros = 10_000;

export function pickWinner<B extends { priceMicros: number }>(
  rivals: readonly Rival<B>[],
  floorMicros: number,
  type: AuctionType,
): { rival: Rival<B>; priceMicros: number } | undefined {
  const [best, ...others] = rivals
    .filter(({ bid }) => bid.priceMicros >= floorMicros)
    .sort((a, b) => b.bid.priceMicros - a.bid.priceMicros || a.rank - b.rank);
  if (!best) return undefined;
  if (type === 1) return { rival: best, priceMicros: best.bid.priceMicros };
  const second = others.find(({ rank }) => rank !== best.rank);
  const asked = second ? Math.max(second.bid.priceMicros + centMicros, floorMicros) : floorMicros || centMicros;
  return { rival: best, priceMicros: Math.min(asked, best.bid.priceMicros) };
}
