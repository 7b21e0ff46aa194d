/** The keyword rules: trim, lower-case, drop empty keywords and duplicates, keep the first ten. */
import type { BidRequest } from './bid-request.ts';
import { memoize } from '../cache/memoize.ts';
import { perObject } from '../memory/per-object.ts';

export const maxKeywords = 10;

export function readKeywords(list: string): string[] {
  const seen = new Set<string>();
  for (const word of list.split(',')) {
    const keyword = word.trim().toLowerCase();
    if (keyword !== '') seen.add(keyword);
    if (seen.size === maxKeywords) break;
  }
  return [...seen];
}

/** The number of keywords before those beyond the maximum are dropped. */
export function countKeywords(list: string): number {
  const distinct = new Set(list.split(',').map((word) => word.trim().toLowerCase()));
  distinct.delete('');
  return distinct.size;
}

/** All requests of a page have the same keywords. */
const cacheLimits = { maxEntries: 2_000, maxKeyLength: 1_000 };
const readCached = memoize(cacheLimits, readKeywords);
/** A list too long for the cache is parsed once per request. */
const readOnce = perObject((request: BidRequest): readonly string[] => readKeywords(listOf(request)));

/** The keywords of the site or the app, after the rules. */
export function requestKeywords(request: BidRequest): readonly string[] {
  const list = listOf(request);
  return list.length <= cacheLimits.maxKeyLength ? readCached(list) : readOnce(request);
}

const listOf = ({ site, app }: BidRequest): string => site?.keywords ?? app?.keywords ?? '';
