/** One thing to measure: messages with the worst value of one part, at one size. */
import { LRUCache } from 'lru-cache';
import { isObject } from '../../src/json/guards.ts';
import type { Messages, Sizes } from './messages.ts';
import type { Part } from './parts.ts';
import { seedMark } from './seeded.ts';
import { decoded, items, type Step, writeAt } from './write-json.ts';
import type { WorstValue } from './values/worst-value.ts';
import { worstValues } from './values/worst-values.ts';

export interface AuditCase {
  /** The row of the table: the worst case of a part stands for it. */
  part: string;
  value: string;
  sizes: Sizes;
  /** Returns a function that writes messages of these sizes, different for each seed. */
  prepare: () => (seed: string) => Messages;
}

/** A JSON text with the worst value at a part. */
export interface WorstText {
  value: string;
  bytes: number;
  /** How often the text has the value. */
  places: number;
  write: (seed: string) => string;
}

/** Sizes of one value: within the usual bounds on texts (2,048 and 8,192 characters), and as large as fits. */
const valueBytes = [2_000, 8_000, Infinity];
/** Large values have one of few sizes, so that many parts share them. */
const sizeStep = 4_096;
/** Items of a list: the usual bound, and as many as fit. */
const usualItems = 50;
const smallestValueBytes = 24;
/** The first values of a type; the others are for parsers, which a value of 24 bytes does not keep busy. */
const generalValues = 6;
/** Impressions of a request. */
const usualOuterItems = 10;

export interface TextLimits {
  maxBytes: number;
  /** Sizes of one value to try; `Infinity` is as large as fits. */
  sizes?: readonly number[];
  /** Whether the value is tried in one item of each list only. */
  isSingle?: boolean;
  /** Which values to try; all if undefined. */
  tries?: (value: WorstValue) => boolean;
}

/** All worst values of a part, each at several sizes and numbers of copies, within `maxBytes`. */
export function* worstTexts(
  part: Part,
  sample: unknown,
  { maxBytes, sizes = valueBytes, isSingle = false, tries = () => true }: TextLimits,
): Generator<WorstText> {
  for (const [rank, worst] of worstValues(part, sampleAt(sample, part.steps)).entries()) {
    if (!tries(worst)) continue;
    const seen = new Set<string>();
    const sizeWith = (copies: readonly number[]) =>
      writerOf(part, sample, worst, copies)(smallestValueBytes, seedMark).length;
    const costOfItem = (outer: readonly number[]) =>
      rank < generalValues ? sizeWith([...outer, 2]) - sizeWith([...outer, 1]) : Infinity;
    for (const { copies, bytes } of isSingle ? singlesOf(part, sizes) : variantsOf(part, maxBytes, sizes, costOfItem)) {
      const write = writerOf(part, sample, worst, copies);
      const places = copies.reduce((product, count) => product * count, 1);
      const fitting = fit(bytes, maxBytes, places, (leaf) => write(leaf, seedMark));
      if (fitting === undefined) continue;
      const key = `${copies.join()} ${fitting.total}`;
      if (seen.has(key)) continue; // the value does not grow
      seen.add(key);
      yield {
        value: places > 1 ? `${places} × ${worst.name}` : worst.name,
        bytes: fitting.total,
        places,
        write: (seed) => write(fitting.leaf, seed),
      };
    }
  }
}

const writerOf = ({ steps }: Part, sample: unknown, worst: WorstValue, copies: readonly number[]) => {
  const isSingle = copies.every((count) => count === 1);
  return (leafBytes: number, seed: string) =>
    writeAt(sample, { steps, copies }, (index) =>
      isSingle ? writeOnce(worst, leafBytes, copySeed(0) + seed) : worst.write(leafBytes, copySeed(index) + seed),
    );
};

const written = new LRUCache<string, string>({
  max: 1_000,
  maxSize: 100_000_000,
  sizeCalculation: ({ length }) => length + 1,
});

/** The same value is audited at many parts. Those that extend the sample of their part are too different to be kept. */
function writeOnce(worst: WorstValue, bytes: number, seed: string): string {
  if (worst.isOwn) return worst.write(bytes, seed);
  const key = `${worst.name} ${bytes} ${seed}`;
  let value = written.get(key);
  if (value === undefined) written.set(key, (value = worst.write(bytes, seed)));
  return value;
}

/** Three characters; a seed of four follows. */
const copySeed = (index: number): string => index.toString(36).padStart(3, 'b').slice(-3);

interface Variant {
  copies: readonly number[];
  bytes: number;
}

function* singlesOf({ maxItems }: Part, sizes: readonly number[]): Generator<Variant> {
  for (const bytes of sizes) yield { copies: maxItems.map(() => 1), bytes };
}

function* variantsOf(
  part: Part,
  maxBytes: number,
  sizes: readonly number[],
  costOfItem: (outer: readonly number[]) => number,
): Generator<Variant> {
  yield* singlesOf(part, sizes);
  const { maxItems } = part;
  if (maxItems.length === 0) return;
  const outer = maxItems.slice(1).map(() => 1);
  const inner = Math.min(usualItems, maxItems.at(-1) ?? Infinity);
  for (const bytes of [sizes[0]!, Infinity]) yield { copies: [...outer, inner], bytes };
  const mostItems = Math.floor((maxBytes * 0.9) / costOfItem(outer));
  if (mostItems > inner && mostItems <= (maxItems.at(-1) ?? Infinity))
    yield { copies: [...outer, mostItems], bytes: smallestValueBytes };
  if (maxItems.length < 2) return;
  const first = Math.min(usualOuterItems, maxItems[0] ?? Infinity);
  yield { copies: [first, ...outer.slice(1), inner], bytes: Infinity };
}

/** The largest value of at most `bytes` with which the text has at most `maxBytes`; undefined if there is none. */
function fit(
  bytes: number,
  maxBytes: number,
  places: number,
  write: (leafBytes: number) => string,
): { leaf: number; total: number } | undefined {
  const empty = Buffer.byteLength(write(0));
  let leaf = Math.min(bytes, inSteps((maxBytes - empty) / places));
  if (leaf < 0) return undefined;
  for (let attempt = 0; attempt < 8; attempt++) {
    const total = Buffer.byteLength(write(leaf));
    if (total <= maxBytes) return { leaf, total };
    leaf = Math.floor(((leaf * (maxBytes - empty)) / (total - empty)) * 0.999) - 1;
    if (!(leaf > 0)) return undefined;
  }
  return undefined;
}

const inSteps = (bytes: number): number =>
  bytes > 2 * sizeStep ? Math.floor(bytes / sizeStep) * sizeStep : Math.floor(bytes);

/** The first value of a sample at a path. */
export function sampleAt(sample: unknown, steps: readonly Step[]): unknown {
  let value = sample;
  for (const step of steps) {
    if (step === items) value = Array.isArray(value) ? (value as unknown[])[0] : undefined;
    else if (step === decoded) value = typeof value === 'string' ? JSON.parse(value) : undefined;
    else value = isObject(value) ? value[step] : undefined;
  }
  return value;
}
