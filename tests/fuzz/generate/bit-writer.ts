/** Writes bit fields as base64url text, the encoding of TCF and GPP strings, without any check of their values. */
const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const bitsPerCharacter = 6;
/** Reused: only one string is written at a time. Bits beyond it are dropped. */
const characters = Buffer.alloc(64 * 1024);

export class BitWriter {
  #written = 0;
  /** The bits of the next character, and their number. */
  #bits = 0;
  #length = 0;

  /** The lowest `width` bits of `value`. */
  integer(value: number, width: number): this {
    for (let left = width; left > 0;) {
      const taken = Math.min(left, bitsPerCharacter - this.#length);
      left -= taken;
      this.#bits = (this.#bits << taken) | (Math.floor(value / 2 ** left) & (2 ** taken - 1));
      this.#length += taken;
      if (this.#length < bitsPerCharacter) break;
      this.#end();
    }
    return this;
  }

  /** Fibonacci coding from its bits: each place that is set adds a Fibonacci number; the highest place and a 1 end it. */
  fibonacciCode(places: readonly number[]): this {
    const highest = Math.max(...places, 0);
    for (let place = 0; place < highest; place++) this.integer(places.includes(place) ? 1 : 0, 1);
    return this.integer(3, 2);
  }

  /** The last character is filled with zeros. */
  toString(): string {
    if (this.#length > 0) this.integer(0, bitsPerCharacter - this.#length);
    return characters.toString('latin1', 0, Math.min(this.#written, characters.length));
  }

  #end(): void {
    characters[this.#written++] = alphabet[this.#bits]!;
    this.#bits = 0;
    this.#length = 0;
  }
}
