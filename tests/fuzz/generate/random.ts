/** A seeded random source: equal seeds give equal inputs on every machine. */

/** The generator sfc32. Fast-check's arbitraries cost more per input than most of the code under test. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
    this.#c = Math.imul(seed ^ 0x7f4a7c15, 0xc2b2ae35);
    for (let round = 0; round < 12; round++) this.next();
  }

  /** An unsigned integer of 32 bits. */
  next(): number {
    const result = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + result;
    return result >>> 0;
  }

  /** From 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor((this.next() / 2 ** 32) * end);
  }

  /** From `first` to `last`, inclusive. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** A length up to `max`. Every order of magnitude is equally likely, so most lengths are short. */
  length(max: number): number {
    return Math.floor(Math.exp((this.next() / 2 ** 32) * Math.log(max + 1)));
  }
}

/** The random source of one input: it depends on nothing that was generated before. */
export function randomFor(seed: number, target: string, index: number): Random {
  let hash = Math.imul(seed, 0x9e3779b1) ^ 0x811c9dc5;
  for (const character of target) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return new Random(Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + Math.imul(index, 0x297a2d39));
}
