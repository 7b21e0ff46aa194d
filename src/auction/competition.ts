/** The competition in an auction: who took part, how many bids came, and the best price that each winner beat. */
import type { ValidBid } from './check-bid.ts';
import type { PartnerOutcome } from './collect-bids.ts';

export interface Competition {
  /** The partners that took part, by name: all but those that were skipped. One without a call to make is among them. */
  partners: string[];
  /** The number of bids received, valid or not, for all impressions together. */
  bids: number;
  /** By the id of each impression that was sold: the highest valid bid of another partner. Absent if there is none. */
  secondMicros: ReadonlyMap<string, number>;
}

export function competitionOf(outcomes: readonly PartnerOutcome[], winners: readonly ValidBid[]): Competition {
  const called = outcomes.filter(({ result }) => result !== 'skipped');
  const secondMicros = new Map<string, number>();
  for (const winner of winners) {
    const second = bestOfOthers(winner, outcomes);
    if (second > 0) secondMicros.set(winner.impression.imp.id, second);
  }
  return {
    partners: called.map(({ partner }) => partner.name),
    bids: outcomes.reduce((sum, { received }) => sum + received, 0),
    secondMicros,
  };
}

function bestOfOthers(winner: ValidBid, outcomes: readonly PartnerOutcome[]): number {
  let best = 0;
  for (const { validBids } of outcomes) {
    if (validBids.includes(winner)) continue;
    for (const { impression, priceMicros } of validBids)
      if (impression === winner.impression) best = Math.max(best, priceMicros);
  }
  return best;
}
