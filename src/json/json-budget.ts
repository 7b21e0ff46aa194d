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
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) budget.values--;
    else if (isOpening(code)) {
      budget.values--;
      if (code === 0x7b) budget.objects--;
      if (++depth > budget.maxDepth) return false;
    } else if (isClosing(code)) depth--;
    if (budget.values < 0 || budget.objects < 0) return false;
  }
  return true;
}

/** The index of the closing quote, or the length of the text. */
function endOfString(text: string, start: number): number {
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
