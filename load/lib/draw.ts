/** Chance that can be repeated: the draws of an iteration are always the same, so that runs send the same requests. */

export interface Draw {
  /** From 0 up to, and never, 1. */
  share(): number;
  happens(share: number): boolean;
  integer(least: number, most: number): number;
  from<T>(list: readonly T[]): T;
}

/** Mulberry32. */
export function drawsOf(iteration: number): Draw {
  let state = Math.imul(iteration + 1, 0x9e3779b1);
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1));
  return {
    share,
    happens: (chance) => share() < chance,
    integer,
    from: (list) => list[integer(0, list.length - 1)]!,
  };
}
