/** The keyword rules: trimmed, lower case, no empty ones, no duplicates, the first ten. */
import type { BidRequest } from './bid-request.ts';
import { memoize } from '../cache/memoize.ts';

const mostKeywords = 10;

export function readKeywords(list: string): string[] {
  const seen = new Set<string>();
  for (const word of list.split(',')) {
    const keyword = word.trim().toLowerCase();
    if (keyword !== '') seen.add(keyword);
    if (seen.size === mostKeywords) break;
  }
  return [...seen];
}

/** The keywords of a page come with every request of it. */
const memory = { maxEntries: 2_000, maxKeyLength: 1_000 };
const readKnown = memoize(memory, readKeywords);
/** A list too long for that is read once a request, whoever asks. */
const readLong = new WeakMap<BidRequest, readonly string[]>();

/** The keywords of the page or the app, after the rules. */
export function requestKeywords(request: BidRequest): readonly string[] {
  const list = request.site?.keywords ?? request.app?.keywords ?? '';
  if (list.length <= memory.maxKeyLength) return readKnown(list);
  let keywords = readLong.get(request);
  if (!keywords) readLong.set(request, (keywords = readKeywords(list)));
  return keywords;
}
