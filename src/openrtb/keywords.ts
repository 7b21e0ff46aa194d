/** The keyword rules: trimmed, lower case, no empty ones, no duplicates, the first ten. */
import type { BidRequest } from './bid-request.ts';
import { remembering } from './remembering.ts';

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
const readKnown = remembering({ most: 2_000, longest: 1_000 }, readKeywords);

/** The keywords of the page or the app, after the rules. */
export const requestKeywords = ({ site, app }: BidRequest): readonly string[] =>
  readKnown(site?.keywords ?? app?.keywords ?? '');
