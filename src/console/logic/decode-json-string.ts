/** Decodes a JSON string literal and maps positions in its value to positions in the literal. */

export interface DecodedString {
  value: string;
  /** For each UTF-16 unit of the value, where it starts in the literal; and where the value ends. */
  offsets: number[];
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `literal` begins with a quote. A literal that is cut off is decoded as far as it goes. */
export function decodeJsonString(literal: string): DecodedString {
  let value = '';
  const offsets: number[] = [];
  let at = 1;
  while (at < literal.length && literal[at] !== '"') {
    offsets.push(at);
    if (literal[at] !== '\\') {
      value += literal[at];
      at += 1;
      continue;
    }
    const escape = literal[at + 1] ?? '';
    if (escape === 'u') {
      value += String.fromCharCode(Number.parseInt(literal.slice(at + 2, at + 6), 16) || 0);
      at += 6;
    } else {
      value += escapes[escape] ?? (escape || '\\');
      at += 2;
    }
  }
  offsets.push(Math.min(at, literal.length));
  return { value, offsets };
}
