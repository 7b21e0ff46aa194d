/** The keyword rules: trimmed, lower case, no empty ones, no duplicates, the first ten. */
import type { BidRequest } from './bid-request.ts';

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

const known = new WeakMap<BidRequest, readonly string[]>();

/** The keywords of the page or the app, after the rules; read once a request, whoever asks. */
export function requestKeywords(request: BidRequest): readonly string[] {
  let keywords = known.get(request);
  if (keywords === undefined) {
    keywords = readKeywords(request.site?.keywords ?? request.app?.keywords ?? '');
    known.set(request, keywords);
  }
  return keywords;
}
