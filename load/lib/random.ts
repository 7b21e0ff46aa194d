/** Seeded randomness: an iteration always gets the same numbers, so every run sends the same requests. */

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Both bounds are included. */
  integer(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32, seeded with the iteration number. */
export function seededRandom(iteration: number): Random {
  let state = Math.imul(iteration + 1, 0x9e3779b1);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    chance: (probability) => next() < probability,
    integer,
    pick: (list) => list[integer(0, list.length - 1)]!,
  };
}
