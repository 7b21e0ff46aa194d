/** Integers that V8 stores in the same place of a Set or a Map: their hash has no secret, so that anyone can compute them. */

/** Sets of up to twice as many integers have no more places. */
const places = 2_048;

/** Robert Jenkins' hash, as V8 computes it for an integer. */
function hash(integer: number): number {
  let value = integer >>> 0;
  value = (~value + (value << 15)) >>> 0;
  value = (value ^ (value >>> 12)) >>> 0;
  value = (value + (value << 2)) >>> 0;
  value = (value ^ (value >>> 4)) >>> 0;
  value = Math.imul(value, 2_057) >>> 0;
  return (value ^ (value >>> 16)) >>> 0;
}

const placeOf = (integer: number): number => hash(integer) % places;

const colliding: number[] = [];
/** Of seven digits each, as far as there are such. */
let next = 1_000_000;

export function collidingInteger(index: number): number {
  for (; colliding.length <= index; next++) if (placeOf(next) === 0) colliding.push(next);
  return colliding[index]!;
}
