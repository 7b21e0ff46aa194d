/** The bounds of a native response: of those that partners send and of those that the exchange builds. */

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

/** At most `length` UTF-16 units and at most `maxTextLength`, without splitting a surrogate pair. */
export function cutText(text: string, length = maxTextLength): string {
  const end = Math.min(length, maxTextLength);
  if (text.length <= end) return text;
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
