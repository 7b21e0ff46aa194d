/** Deterministic pseudo-random numbers from text: prices, creatives, faults and delays are the same in every run. */

/** A 32-bit hash: FNV-1a with the final mix of MurmurHash3, so that similar texts get unrelated values. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A fraction in [0, 1). */
export const hashFraction = (text: string): number => hashText(text) / 2 ** 32;
