/** Measures the nesting of JSON text before it is parsed: V8 takes up to a hundred times as long to parse brackets as to parse text. */

const quote = 0x22;
const backslash = 0x5c;

/** Whether objects and arrays are nested more than `maxDepth` levels deep. For text that is not JSON, any result. */
export function exceedsDepth(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** The index of the closing quote; -1 if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}
