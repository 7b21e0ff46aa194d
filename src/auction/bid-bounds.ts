/** The bounds of the members that a response bid takes over from its partner. What exceeds them is removed, the bid stays. */
import { isNonEmptyString } from '../json/guards.ts';

const maxUrlLength = 4_096;
const maxStringLength = 255;
const maxEntries = 50;

/** For `nurl`, `burl`. */
export const boundedUrl = (value: unknown): string | undefined => nonEmptyWithin(value, maxUrlLength);

/** For ids and every other string. */
export const boundedString = (value: unknown): string | undefined => nonEmptyWithin(value, maxStringLength);

/** For `adomain`, `cat`: the first entries that are not too long. Undefined if an entry has the wrong type or none is left. */
export function boundedStrings(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || !value.every(isNonEmptyString)) return undefined;
  const kept: string[] = [];
  for (const entry of value) {
    if (kept.length === maxEntries) break;
    if (entry.length <= maxStringLength) kept.push(entry);
  }
  return kept.length === 0 && value.length > 0 ? undefined : kept;
}

const nonEmptyWithin = (value: unknown, length: number): string | undefined =>
  isNonEmptyString(value) && value.length <= length ? value : undefined;
