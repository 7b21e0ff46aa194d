/** Why none of a partner's offers became a bid, in words. */
import type { Impression } from './adapter.ts';

/** Of impressions and offers, so that an explanation is short and cheap. */
const maxImpressions = 5;
const maxOffers = 100;

export const noImpression = 'No impression of the request can be traded.';
export const noneCanBid = 'none can bid';
export const lacksAsset = 'required assets';

/** `reasonOf` gives the reason of one offer; undefined if nothing speaks against it but its length. */
export function countReasons<Offer>(
  impressions: readonly Impression[],
  noun: string,
  offersOf: (impression: Impression) => readonly Offer[],
  reasonOf: (offer: Offer, impression: Impression) => string | undefined,
): string {
  const explained = impressions.slice(0, maxImpressions).map((impression) => {
    const offers = offersOf(impression).slice(0, maxOffers);
    const counts = new Map<string, number>();
    for (const offer of offers) {
      const reason = reasonOf(offer, impression) ?? 'response too long';
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return `Impression ${impression.imp.id}: ${describe(offers.length, noun, counts)}.`;
  });
  return explained.join(' ');
}

function describe(offers: number, noun: string, counts: ReadonlyMap<string, number>): string {
  if (offers === 0) return `no ${noun} matches`;
  const reasons = [...counts].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  return `${offers} ${offers === 1 ? `${noun} matches` : `${noun}s match`}, ${noneCanBid}: ${reasons}`;
}
