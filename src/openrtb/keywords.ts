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

/** The keywords of the page or the app, after the rules. */
export function requestKeywords({ site, app }: BidRequest): string[] {
  const list = site?.keywords ?? app?.keywords;
  return list === undefined ? [] : readKeywords(list);
}
