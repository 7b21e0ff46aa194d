/** The keywords as the value of the parameter `query`: bounded, because servers reject long URLs. */

/** Percent-encoded. */
const maxQueryBytes = 512;

/** All requests of a page share their list of keywords. */
const encoded = new WeakMap<readonly string[], string>();

/** In their order, each keyword that still fits; empty if none does. */
export function encodeKeywords(keywords: readonly string[]): string {
  let query = encoded.get(keywords);
  if (query === undefined) encoded.set(keywords, (query = encode(keywords)));
  return query;
}

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
