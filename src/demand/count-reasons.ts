/** Why none of a partner's offers became a bid, in words and by impression. */
import type { Impression, NoBidReason } from './adapter.ts';

/** Bounds on the impressions and offers of an explanation, so that it is short and cheap. */
const maxImpressions = 5;
const maxOffers = 100;

export const noImpression = 'No impression of the request can be traded.';
export const lacksAsset = 'required assets';

export interface CountedReasons {
  text: string;
  /** Impression id to the reasons of its offers; empty without an offer. */
  byImpression: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * `reasonOf` gives the reason of one offer; undefined if nothing speaks against it but its length. `unmatchedOf` lists why offers do not match an
 * impression that none matches.
 */
export function countReasons<Offer>(
  impressions: readonly Impression[],
  noun: string,
  offersOf: (impression: Impression) => readonly Offer[],
  reasonOf: (offer: Offer, impression: Impression) => string | undefined,
  unmatchedOf: (impression: Impression, max: number) => readonly string[] = () => [],
): CountedReasons {
  const texts: string[] = [];
  const byImpression = new Map<string, ReadonlySet<string>>();
  for (const impression of impressions.slice(0, maxImpressions)) {
    const { id } = impression.imp;
    const offers = offersOf(impression).slice(0, maxOffers);
    const reasons = offers.map((offer) => reasonOf(offer, impression) ?? 'response too long');
    const unmatched = offers.length === 0 ? unmatchedOf(impression, maxOffers) : [];
    texts.push(`Impression ${id}: ${describe(noun, reasons, unmatched)}.`);
    byImpression.set(id, new Set(reasons));
  }
  return { text: texts.join(' '), byImpression };
}

/** For several calls to a partner. Their impressions differ; a reason that they share is stated once. */
export function joinReasons(first: NoBidReason | undefined, second: NoBidReason | undefined): NoBidReason | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const [text, other] = [textOf(first), textOf(second)];
  const joined = text.includes(other) ? text : `${text} ${other}`;
  if (typeof first === 'string' && typeof second === 'string') return joined;
  return { text: joined, byImpression: new Map([...countsOf(first), ...countsOf(second)]) };
}

export const textOf = (reason: NoBidReason): string => (typeof reason === 'string' ? reason : reason.text);

const countsOf = (reason: NoBidReason): Iterable<[string, ReadonlySet<string>]> =>
  typeof reason === 'string' ? [] : reason.byImpression;

function describe(noun: string, reasons: readonly string[], unmatched: readonly string[]): string {
  if (unmatched.length > 0) return `no ${noun} matches: ${count(unmatched)}`;
  if (reasons.length === 0) return `no ${noun} matches`;
  const offers = `${reasons.length} ${reasons.length === 1 ? `${noun} matches` : `${noun}s match`}`;
  return `${offers}, none can bid: ${count(reasons)}`;
}

function count(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, times]) => `${times} × ${reason}`).join(', ');
}
