/** The bounds of a native response: of those that partners send and of those that the exchange builds. */

/** Of a request, so a response that fills each of them has no more. */
export const maxNativeAssets = 50;
/** All lists of a response together. */
export const maxNativeTrackers = 50;
/** UTF-16 units of a title or a data value. */
export const maxTextLength = 2_000;
/** Bytes in UTF-8. */
export const maxNativeBytes = 64 * 1024;

/** A UTF-16 unit takes at most three bytes, so that most texts need no counting. */
export const isWithinNativeSize = (text: string): boolean =>
  text.length * 3 <= maxNativeBytes || (text.length <= maxNativeBytes && Buffer.byteLength(text) <= maxNativeBytes);

/** At most `length` code points and at most `maxTextLength` UTF-16 units, without splitting a surrogate pair. */
export function cutText(text: string, length = Infinity): string {
  if (text.length <= length && text.length <= maxTextLength) return text;
  const end = Math.min(text.length, maxTextLength);
  let at = 0;
  for (let count = 0; count < length && at < end; count++) {
    const next = at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
    if (next > end) break;
    at = next;
  }
  return text.slice(0, at);
}
