/** Bounds the structure of JSON text before it is parsed: parsing and collecting many small values costs far more than their bytes. */

/** What texts may still contain. A value is counted by the comma or bracket before it. */
export interface JsonBudget {
  readonly maxDepth: number;
  objects: number;
  values: number;
}

/** A shorter text is parsed so quickly, whatever its structure, that measuring it first does not pay. */
export const smallJsonLength = 4 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Takes the structure of `text` off the budget; false if that exceeds it. The text need not be valid JSON. */
export function spendJsonBudget(text: string, budget: JsonBudget): boolean {
  const { maxDepth } = budget;
  let { values, objects } = budget;
  let depth = 0;
  for (let at = 0; at < text.length && values >= 0 && objects >= 0 && depth <= maxDepth; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) values--;
    else if (isOpening(code)) {
      values--;
      if (code === 0x7b) objects--;
      depth++;
    } else if (isClosing(code)) depth--;
  }
  budget.values = values;
  budget.objects = objects;
  return values >= 0 && objects >= 0 && depth <= maxDepth;
}

/** A string up to this length is read character by character: for a long one `indexOf` is faster, but a call of it takes as long as some characters. */
const shortLength = 24;

/** The index of the closing quote, or the length of the text. */
function endOfString(text: string, start: number): number {
  const shortEnd = Math.min(start + shortLength, text.length);
  for (let at = start + 1; at < shortEnd; at++) {
    const code = text.charCodeAt(at);
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
  while (text.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}

const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;
