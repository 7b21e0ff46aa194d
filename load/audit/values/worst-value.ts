/** What a generator of worst values is, and how it fills its space. */

export interface WorstValue {
  name: string;
  /** Whether the text depends on the sample of the part. */
  isOwn?: boolean;
  /** JSON text of about `bytes` bytes at most. `seed`, seven characters, differs per request: no cache may hide the cost. */
  write: (bytes: number, seed: string) => string;
}

/** `piece` as often as it fits. */
export const repeated = (bytes: number, piece: string): string =>
  piece.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(piece))));

/** Pieces that differ, up to the given size. All have about the size of the first one. */
export function distinct(bytes: number, piece: (index: number) => string, separator = ''): string {
  const wideBytes = Buffer.byteLength(piece(0)) - piece(0).length;
  const pieces: string[] = [];
  let left = bytes;
  for (let index = 0; ; index++) {
    const next = piece(index);
    left -= next.length + wideBytes + separator.length;
    if (!(left >= 0)) return pieces.join(separator);
    pieces.push(next);
  }
}

/** A text value: `content` returns JSON string content, escaped where it must be. */
export const text = (name: string, content: (bytes: number, seed: string) => string): WorstValue => ({
  name,
  write: (bytes, seed) => `"${content(Math.max(0, bytes - 2), seed)}"`,
});
