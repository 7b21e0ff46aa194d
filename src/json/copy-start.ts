/** Cuts texts of callers and partners that are kept for long. */

/** The first characters, as a text of its own: V8 would keep the whole text in memory for a slice of it. */
export const copyStart = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : Buffer.from(text.slice(0, maxLength), 'utf16le').toString('utf16le');
