/** Mutations of bytes: flips, splices, repetitions, cuts, extreme integers and long runs. */
import type { Random } from './random.ts';

type Mutation = (random: Random, bytes: Buffer, corpus: readonly Buffer[]) => Buffer;

/** One to four mutations of `bytes`, mostly one; `corpus` supplies pieces of other inputs. The result has at most `max` bytes. */
export function mutateBytes(random: Random, bytes: Buffer, corpus: readonly Buffer[], max: number): Buffer {
  let mutated: Buffer = Buffer.from(bytes);
  for (let left = random.length(4); left > 0; left--) mutated = random.pick(mutations)(random, mutated, corpus);
  return mutated.subarray(0, max);
}

const place = (random: Random, bytes: Buffer): number => random.below(bytes.length + 1);

/** `inserted` in place of `removed` bytes at a random place. */
function replaceSome(random: Random, bytes: Buffer, removed: number, inserted: Buffer): Buffer {
  const at = place(random, bytes);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}

function someOf(random: Random, bytes: Buffer): Buffer {
  const start = place(random, bytes);
  return bytes.subarray(start, start + random.length(bytes.length));
}

const extremes = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
const extremeTexts = [
  '-1',
  '0',
  '00',
  '1e309',
  '65536',
  '4294967296',
  '9007199254740993',
  '18446744073709551616',
  'NaN',
];

function extremeInteger(random: Random): Buffer {
  const bytes = Buffer.alloc(4);
  const value = random.pick(extremes);
  if (random.chance(0.5)) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes.subarray(random.below(4));
}

const maxRun = 20_000;

const mutations: readonly Mutation[] = [
  function flipBit(random, bytes) {
    if (bytes.length > 0) bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    return bytes;
  },
  function replaceByte(random, bytes) {
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
  function truncate(random, bytes) {
    return bytes.subarray(0, place(random, bytes));
  },
  function remove(random, bytes) {
    return replaceSome(random, bytes, random.length(bytes.length), Buffer.alloc(0));
  },
  function repeat(random, bytes) {
    const piece = someOf(random, bytes);
    if (piece.length === 0) return bytes;
    const times = random.length(Math.max(maxRun / piece.length, 2));
    return replaceSome(random, bytes, 0, Buffer.alloc(times * piece.length, piece));
  },
  function splice(random, bytes, corpus) {
    return replaceSome(random, bytes, random.length(bytes.length), someOf(random, random.pick(corpus)));
  },
  function insertExtremeInteger(random, bytes) {
    const inserted = random.chance(0.5) ? extremeInteger(random) : Buffer.from(random.pick(extremeTexts));
    return replaceSome(random, bytes, random.below(inserted.length + 1), inserted);
  },
  function insertRun(random, bytes) {
    const byte = random.chance(0.5) && bytes.length > 0 ? bytes[random.below(bytes.length)]! : random.below(256);
    return replaceSome(random, bytes, 0, Buffer.alloc(random.length(maxRun), byte));
  },
];
