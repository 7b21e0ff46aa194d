/** The bounds of the members that a response bid takes over from its partner. What exceeds them is removed, the bid stays. */
import { isNonEmptyString, isObject } from '../json/guards.ts';
import { isWebUrl, maxWebUrlLength } from './web-url.ts';

export const maxStringLength = 255;
export const maxEntries = 50;
/** Maximum length of the JSON text. */
export const maxDsaLength = 4_096;

/** For `nurl`, `burl`, `lurl`. */
export const boundedUrl = (value: unknown): string | undefined =>
  isNonEmptyString(value) && value.length <= maxWebUrlLength && isWebUrl(value) ? value : undefined;

/** For ids and every other string. */
export const boundedString = (value: unknown): string | undefined =>
  isNonEmptyString(value) && value.length <= maxStringLength ? value : undefined;

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

/** For `attr`: the first entries. Undefined if an entry has the wrong type. */
export const boundedIntegers = (value: unknown): number[] | undefined =>
  Array.isArray(value) && value.every(isSafeInteger) ? value.slice(0, maxEntries) : undefined;

/** For `cattax`, `exp`. */
export const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** `ext.dsa` of a bid. */
export function boundedDsa(ext: unknown): object | undefined {
  const dsa = isObject(ext) ? ext.dsa : undefined;
  return isObject(dsa) && JSON.stringify(dsa).length <= maxDsaLength ? dsa : undefined;
}
