/** Bounds the structure of JSON text before it is parsed: parsing and collecting many small values costs far more than their bytes. */

/** What texts may still contain. A value is counted by the comma or bracket before it. */
export interface JsonBudget {
  readonly maxDepth: number;
  /** Objects and lists. */
  containers: number;
  values: number;
  /** The different names of members so far. */
  readonly names: Set<string>;
  readonly maxNames: number;
}

/** `depth`: nested too deep. `structure`: too many containers, values or names. */
export type Excess = 'depth' | 'structure';

/**
 * Many members are cheap if they repeat their names, as members of requests do. A new name costs a microsecond and memory: V8 creates a
 * hidden class for the object with it.
 */
export const maxNames = 4_096;

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
  const { maxDepth, names, maxNames: most } = budget;
  let { values, containers } = budget;
  let depth = 0;
  /** Of the latest string. */
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
      isWithin = names.add(text.slice(start, end)).size <= most;
      start = end; // a string is read once, however many colons follow it
    } else if (code === comma) isWithin = --values >= 0;
    else if (isOpening(code)) {
      depth++;
      values--;
      containers--;
      isWithin = values >= 0 && containers >= 0 && depth <= maxDepth;
    } else if (isClosing(code)) depth--;
  }
  budget.values = values;
  budget.containers = containers;
  if (isWithin) return undefined;
  return depth > maxDepth ? 'depth' : 'structure';
}

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

const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;
