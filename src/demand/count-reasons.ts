/** Why none of a partner's offers became a bid, in words and by impression. */
import type { Impression } from './adapter.ts';

/** Of impressions and offers, so that an explanation is short and cheap. */
const maxImpressions = 5;
const maxOffers = 100;

export const noImpression = 'No impression of the request can be traded.';
export const lacksAsset = 'required assets';

export interface CountedReasons {
  text: string;
  /** Impression id to the reasons of its offers; empty without an offer. */
  byImpression: ReadonlyMap<string, ReadonlySet<string>>;
}

/** `reasonOf` gives the reason of one offer; undefined if nothing speaks against it but its length. */
export function countReasons<Offer>(
  impressions: readonly Impression[],
  noun: string,
  offersOf: (impression: Impression) => readonly Offer[],
  reasonOf: (offer: Offer, impression: Impression) => string | undefined,
): CountedReasons {
  const texts: string[] = [];
  const byImpression = new Map<string, ReadonlySet<string>>();
  for (const impression of impressions.slice(0, maxImpressions)) {
    const { id } = impression.imp;
    const offers = offersOf(impression).slice(0, maxOffers);
    const counts = new Map<string, number>();
    for (const offer of offers) {
      const reason = reasonOf(offer, impression) ?? 'response too long';
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    texts.push(`Impression ${id}: ${describe(offers.length, noun, counts)}.`);
    byImpression.set(id, new Set(counts.keys()));
  }
  return { text: texts.join(' '), byImpression };
}

function describe(offers: number, noun: string, counts: ReadonlyMap<string, number>): string {
  if (offers === 0) return `no ${noun} matches`;
  const reasons = [...counts].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  return `${offers} ${offers === 1 ? `${noun} matches` : `${noun}s match`}, none can bid: ${reasons}`;
}
