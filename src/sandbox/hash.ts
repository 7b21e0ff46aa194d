/** Numbers that look random yet are always the same for the same text: the sandbox decides everything by them. */

/** 32 bits: FNV-1a, then the final mix of MurmurHash3, so that texts that differ in one letter land far apart. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** From 0 up to, and never, 1. */
export const drawShare = (text: string): number => hashText(text) / 2 ** 32;
