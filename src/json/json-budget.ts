/** Bounds the structure of JSON text before it is parsed: parsing and collecting many small values costs far more than their bytes. */
import { randomInt } from 'node:crypto';

/** What texts may still contain. A value is counted by the comma or bracket before it. */
export interface JsonBudget {
  readonly maxDepth: number;
  /** Objects and lists. */
  containers: number;
  values: number;
  /** The different names of members so far, numbered. */
  readonly names: Map<string, number>;
  readonly maxNames: number;
  /** Hashes of the different beginnings of objects so far: their first names, in order. */
  readonly shapes: Set<number>;
  /** Numbers with an exponent. */
  exponents: number;
}

type Limits = Pick<JsonBudget, 'maxDepth' | 'containers' | 'values'> & { maxNames?: number };

export const createJsonBudget = ({ maxNames: most = maxNames, ...limits }: Limits): JsonBudget => ({
  ...limits,
  names: new Map(),
  maxNames: most,
  shapes: new Set(),
  exponents: maxExponents,
});

/** `depth`: nested too deep. `structure`: too many containers, values, names, orders of names or exponents. */
export type Excess = 'depth' | 'structure';

/**
 * Many members are cheap if they repeat their names, as members of requests do. A new name costs a microsecond and memory: V8 creates a
 * hidden class for the object with it.
 */
export const maxNames = 4_096;

/** Orders per name: V8 has a hidden class for each beginning of an object, so the same names in ever new orders cost as much as new ones. */
export const shapesPerName = 2;

/** Few numbers of requests have an exponent. To write a very small or large one again may take microseconds. */
export const maxExponents = 4_096;

/** Nobody can compute in advance which orders of names have the same hash. */
const multiplier = randomInt(2 ** 30) * 4 + 1;

/** A shorter text is parsed in 5 ms, whatever its structure. Measuring it first would take as long as parsing an ordinary one. */
export const smallJsonLength = 32 * 1024;

/** As a property of the text it would be looked up for every character: V8 has a class for each of the many kinds of strings. */
// eslint-disable-next-line typescript/unbound-method -- always called with a text
const { charCodeAt } = String.prototype;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/** Takes the structure of `text` off the budget. Returns what that exceeds, if anything. The text need not be valid JSON. */
export function spendJsonBudget(text: string, budget: JsonBudget): Excess | undefined {
  const { maxDepth } = budget;
  let { values, containers, exponents } = budget;
  let depth = 0;
  /** Shapes of the open objects, by depth. */
  const shapes: number[] = [0];
  /** Position of the latest string. */
  let start = 0;
  let end = 0;
  let isWithin = true;
  const { length } = text;
  for (let at = 0; at < length && isWithin; at++) {
    const code = charCodeAt.call(text, at);
    if (code === quote) {
      start = at;
      end = at = endOfString(text, at, length);
    } else if (code === colon) {
      shapes[depth] = shapeWith(shapes[depth]!, text.slice(start, end), budget);
      isWithin = isWithinNames(budget);
      start = end; // a string is read once, however many colons follow it
    } else if (code === comma) isWithin = --values >= 0;
    else if (isOpening(code)) {
      shapes[++depth] = 0;
      values--;
      containers--;
      isWithin = values >= 0 && containers >= 0 && depth <= maxDepth;
    } else if (isClosing(code)) depth = Math.max(0, depth - 1);
    else if ((code === 0x65 || code === 0x45) && isDigit(charCodeAt.call(text, at - 1))) isWithin = --exponents >= 0;
  }
  Object.assign(budget, { values, containers, exponents });
  if (isWithin) return undefined;
  return depth > maxDepth ? 'depth' : 'structure';
}

/** Adds a name to the beginning of an object. */
function shapeWith(shape: number, name: string, { names, shapes }: JsonBudget): number {
  let index = names.get(name);
  if (index === undefined) names.set(name, (index = names.size));
  const mixed = Math.imul(shape ^ (index + 1), multiplier);
  const next = mixed ^ (mixed >>> 15);
  shapes.add(next);
  return next;
}

const isWithinNames = ({ names, maxNames: most, shapes }: JsonBudget): boolean =>
  names.size <= most && shapes.size <= shapesPerName * most;

/** A string up to this length is read character by character: for a long one `indexOf` is faster, but a call of it takes as long as some characters. */
const shortLength = 24;

/** The index of the closing quote, or the length of the text. */
function endOfString(text: string, start: number, length: number): number {
  const shortEnd = Math.min(start + shortLength, length);
  for (let at = start + 1; at < shortEnd; at++) {
    const code = charCodeAt.call(text, at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return endOfLongString(text, start);
}

function endOfLongString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (charCodeAt.call(text, start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;
