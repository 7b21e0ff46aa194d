/** Cuts texts of callers and partners that are kept for long. */

/** The first characters, as a text of its own: V8 would keep the whole text in memory for a slice of it. A surrogate pair is not split. */
export function copyStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = text.codePointAt(maxLength - 1)! > 0xffff ? maxLength - 1 : maxLength;
  return Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le');
}
