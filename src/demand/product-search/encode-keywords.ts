/** The keywords as the value of the parameter `query`: bounded, because servers reject long URLs. */

import { perObject } from '../../memory/per-object.ts';

/** Percent-encoded. */
const maxQueryBytes = 512;

/** In their order, each keyword that still fits; empty if none does. All requests of a page share their list of keywords. */
export const encodeKeywords = perObject(encode);

function encode(keywords: readonly string[]): string {
  let query = '';
  for (const keyword of keywords) {
    if (keyword.length > maxQueryBytes) continue;
    const value = encodeValue(keyword);
    const longer = query === '' ? value : `${query}%2C${value}`;
    if (longer.length <= maxQueryBytes) query = longer;
  }
  return query;
}

const encodeValue = (text: string): string => new URLSearchParams({ '': text }).toString().slice('='.length);
