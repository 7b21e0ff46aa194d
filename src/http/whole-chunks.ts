/** The quick way through a chunked body: chunks that were read as a whole and have no extension, as most are. */

export const lf = 0x0a;
export const cr = 0x0d;

/** What was read, and where its data goes. */
export interface Copying {
  read: Buffer;
  into: Buffer;
  /** The same bytes. */
  from: DataView;
  to: DataView;
}

/** The positions of reading and writing, and the number of chunks. */
export interface Progress {
  at: number;
  length: number;
  chunks: number;
}

/** A longer size has leading zeros. */
const maxDigits = 8;
/** So many bytes are copied by a call; fewer take less time here. */
const minCallBytes = 128;

/**
 * From the end of a chunk's data on, until there are `max` chunks. In one loop with local variables: with the fields of the decoder it takes two to three
 * times as long.
 */
export function takeWholeChunks(copying: Copying, start: Progress, max: number): Progress {
  const { read } = copying;
  const last = read.length - 1;
  let { at, length, chunks } = start;
  while (chunks < max && at + 1 < last && read[at] === cr && read[at + 1] === lf) {
    let bytes = 0;
    let end = at + 2;
    const latestEnd = Math.min(end + maxDigits, last);
    while (end < latestEnd && hexDigits[read[end]!] !== noDigit) bytes = bytes * 16 + hexDigits[read[end++]!]!;
    const dataAt = end + 2;
    if (bytes === 0 || read[end] !== cr || read[end + 1] !== lf || dataAt + bytes > read.length) break;
    copyBytes(copying, dataAt, length, bytes);
    length += bytes;
    at = dataAt + bytes;
    chunks++;
  }
  return { at, length, chunks };
}

export function copyBytes({ read, into, from, to }: Copying, at: number, toAt: number, bytes: number): void {
  let copied = 0;
  if (bytes >= minCallBytes) copied = read.copy(into, toAt, at, at + bytes);
  for (; copied + 8 <= bytes; copied += 8) to.setBigUint64(toAt + copied, from.getBigUint64(at + copied));
  for (; copied < bytes; copied++) to.setUint8(toAt + copied, from.getUint8(at + copied));
}

export const noDigit = 16;

/** By byte. */
export const hexDigits = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? noDigit : digit;
});
