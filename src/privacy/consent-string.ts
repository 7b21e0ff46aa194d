/** What TCF and GPP strings have in common: bit fields in base64url, a length limit, and a bounded cache of decoded strings. */
import { memoize } from '../cache/memoize.ts';

/** Far more than a consent string needs. A longer one is not decoded. */
export const maxConsentLength = 8_192;

export const isTooLong = (text = ''): boolean => text.length > maxConsentLength;

/** About 10 MB of text per kind of string when full, and 30 MB of vendor ranges. */
const cacheLimits = { maxEntries: 5_000, maxKeyLength: 2_000 };

/** Caches the results of a decoder: users send the same consent string with every request. */
export function memoizeDecoder<Result extends string | object>(
  decode: (text: string) => Result | 'undecodable',
): (text: string) => Result | 'undecodable' {
  const decodeCached = memoize(cacheLimits, decode);
  return (text) => (isTooLong(text) ? 'undecodable' : decodeCached(text));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const bitsPerCharacter = 6;
const sextets = new Uint8Array(128);
for (let value = 0; value < alphabet.length; value++) sextets[alphabet.charCodeAt(value)] = value;

/** Reads consecutive bit fields from base64url text. */
export class BitReader {
  /** Position in bits. Bits past the end read as 0, and `overrun` becomes true. */
  position: number;
  readonly #text: string;
  readonly #length: number;

  /** `text` must contain only characters of the base64url alphabet, as far as it is read. */
  constructor(text: string, position = 0) {
    this.position = position;
    this.#text = text;
    this.#length = text.length * bitsPerCharacter;
  }

  get overrun(): boolean {
    return this.position > this.#length;
  }

  skip(bits: number): void {
    this.position += bits;
  }

  /** Reads an unsigned integer of the given width. */
  integer(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--) value = value * 2 + this.bit();
    return value;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /**
   * Reads a positive integer in Fibonacci coding: each 1 adds the Fibonacci number of its place; "11" terminates. Returns
   * undefined for an integer above `max`, of which it reads no more than one bit after the last place that `max` has.
   */
  fibonacci(max: number): number | undefined {
    let value = 0;
    let previous = 0;
    for (let low = 1, high = 2; low <= max || previous === 1; [low, high] = [high, low + high]) {
      const bit = this.bit();
      if (bit === 1 && previous === 1) return value <= max ? value : undefined;
      value += bit * low;
      previous = bit;
    }
    return undefined;
  }

  bit(): number {
    const position = this.position++;
    if (position >= this.#length) return 0;
    const value = sextets[this.#text.charCodeAt(Math.trunc(position / bitsPerCharacter))]!;
    return (value >> (bitsPerCharacter - 1 - (position % bitsPerCharacter))) & 1;
  }
}
