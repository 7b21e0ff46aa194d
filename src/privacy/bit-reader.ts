/** Reads the bits behind a base64url text one field after the other; consent strings are made of such fields. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const bitsPerCharacter = 6;
const valueOf = new Uint8Array(128);
for (let value = 0; value < alphabet.length; value++) valueOf[alphabet.charCodeAt(value)] = value;

export class BitReader {
  /** Bits read so far; past the end all bits are 0 and `overrun` tells. */
  at = 0;
  readonly #text: string;
  readonly #length: number;

  /** `text` must be of the base64url alphabet. */
  constructor(text: string) {
    this.#text = text;
    this.#length = text.length * bitsPerCharacter;
  }

  get overrun(): boolean {
    return this.at > this.#length;
  }

  skip(bits: number): void {
    this.at += bits;
  }

  /** An unsigned integer of so many bits. */
  integer(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--) value = value * 2 + this.#bit();
    return value;
  }

  flag(): boolean {
    return this.#bit() === 1;
  }

  /** A positive integer in Fibonacci coding: each 1 adds the number of its place, a second 1 in a row ends it. */
  fibonacci(): number {
    let value = 0;
    let previous = 0;
    for (let low = 1, high = 2; !this.overrun; [low, high] = [high, low + high]) {
      const bit = this.#bit();
      if (bit === 1 && previous === 1) break;
      value += bit * low;
      previous = bit;
    }
    return value;
  }

  #bit(): number {
    const position = this.at++;
    if (position >= this.#length) return 0;
    const value = valueOf[this.#text.charCodeAt(Math.trunc(position / bitsPerCharacter))]!;
    return (value >> (bitsPerCharacter - 1 - (position % bitsPerCharacter))) & 1;
  }
}
