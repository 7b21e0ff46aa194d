/** Describes JSON values in error reasons: short, bounded and printable, whatever the caller sent. */

const maxExcerpt = 40;

/** The JSON type, with its article: "a string", "null"; "nothing" for an absent member. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The value itself if it is short: a number, a boolean, the start of a string in quotes. Else its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return excerpt(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeType(value);
}

/** The character at an index: in quotes, with its code point if it is not ASCII, as a code point alone if it is invisible. */
export function describeCharacter(text: string, index: number): string {
  const codePoint = text.codePointAt(index)!;
  const character = String.fromCodePoint(codePoint);
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === "'") return `"'"`;
  if (character >= ' ' && character <= '~') return `'${character}'`;
  return visible.test(character) ? `'${character}' (${code})` : code;
}

const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** A loop, because a partner's response may have thousands of strings that a pattern would replace character by character. */
function excerpt(text: string): string {
  const start = text.length > maxExcerpt ? text.slice(0, maxExcerpt) : text;
  let escaped = '';
  for (const character of start)
    escaped += character === '"' || character === '\\' ? `\\${character}` : show(character);
  return `"${escaped}${text.length > maxExcerpt ? '…' : ''}"`;
}

function show(character: string): string {
  const isShown = (character >= ' ' && character <= '~') || (character > '\u007f' && printable.test(character));
  return isShown ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** The text with its invisible characters as code points: a terminal or a reader of lines may take them for commands. */
export function showInvisible(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  let shown = '';
  for (const character of text) shown += show(character);
  return shown;
}
