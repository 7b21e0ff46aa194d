/** Takes the data out of a chunked body. The parser of node:http has found its bytes valid. */
import { type Copying, copyBytes, cr, hexDigits, lf, noDigit, takeWholeChunks } from './whole-chunks.ts';

/** The smallest average that a chunked body may have. */
export const minAverageBytes = 16;
/** Sizes, line ends, extensions and trailers may be so much longer than the data. */
const maxOverheadBytes = 16 * 1024;
/** Chunks that may be smaller at first: those that follow may be larger. */
const slack = 32;

type Part = 'size' | 'extension' | 'data' | 'end of data' | 'trailers' | 'none';

/** The data of one read; larger than what node:http reads at a time. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

export class ChunkDecoder {
  /** Without the last one, which is empty. */
  chunks = 0;
  /** Of data. */
  bytes = 0;
  /** Of the body, with what is around the data. */
  #readBytes = 0;
  #part: Part = 'size';
  /** The bytes that the current chunk has left, or its size as far as it is known. */
  #left = 0;
  #isLineEmpty = true;

  /** The data in the next bytes of the body, as far as its chunks are not too small. What follows the body is not looked at. */
  decode(read: Buffer): Buffer {
    const copying = startCopying(read);
    let at = 0;
    let length = 0;
    const maxChunks = () => maxChunksOf(this.bytes + length + read.length - at, slack);
    while (at < read.length && this.#part !== 'none' && this.chunks <= maxChunks()) {
      if (this.#part === 'size') at = this.#readSize(read, at);
      else if (this.#part === 'data') {
        const taken = Math.min(this.#left, read.length - at);
        copyBytes(copying, at, length, taken);
        length += taken;
        at += taken;
        this.#left -= taken;
        if (this.#left === 0) this.#part = 'end of data';
      } else at = this.#skipLine(read, at);
      if (this.#part === 'end of data') {
        const max = maxChunks() + 1;
        ({ at, length, chunks: this.chunks } = takeWholeChunks(copying, { at, length, chunks: this.chunks }, max));
      }
    }
    this.bytes += length;
    this.#readBytes += at;
    const data = Buffer.allocUnsafeSlow(length); // the scratch is used again, and this memory can be freed
    scratch.copy(data, 0, 0, length);
    return data;
  }

  get isComplete(): boolean {
    return this.#part === 'none';
  }

  /** Whether the chunks are too small, even if the rest comes in one. */
  areTooSmall(): boolean {
    return this.chunks > maxChunksOf(this.bytes, this.isComplete ? 0 : slack);
  }

  /** Whether too much is around the data. */
  hasOverhead(): boolean {
    return this.#readBytes - this.bytes > maxOverheadBytes + this.bytes;
  }

  /** Returns where the size, or these bytes, end. */
  #readSize(read: Buffer, from: number): number {
    let left = this.#left;
    let at = from;
    let byte = 0;
    for (; at < read.length; at++) {
      byte = read[at]!;
      const digit = hexDigits[byte]!;
      if (digit === noDigit) break;
      left = left * 16 + digit;
    }
    this.#left = left;
    if (at === read.length) return at;
    if (byte === cr && read[at + 1] === lf) at++;
    else if (byte !== lf) {
      this.#part = 'extension';
      return at;
    }
    this.#endLine();
    return at + 1;
  }

  /** Returns where the next line begins, or where these bytes end. */
  #skipLine(read: Buffer, from: number): number {
    const end = read.indexOf(lf, from);
    const lineEnd = end < 0 ? read.length : end;
    if (lineEnd - from > 1 || (lineEnd > from && read[from] !== cr)) this.#isLineEmpty = false;
    if (end < 0) return read.length;
    this.#endLine();
    return end + 1;
  }

  #endLine(): void {
    if (this.#part === 'end of data') this.#part = 'size';
    else if (this.#part === 'trailers') this.#part = this.#isLineEmpty ? 'none' : 'trailers';
    else if (this.#left === 0) this.#part = 'trailers';
    else {
      this.chunks++;
      this.#part = 'data';
    }
    this.#isLineEmpty = true;
  }
}

/** With so many bytes of data. */
const maxChunksOf = (bytes: number, extra: number): number => extra + Math.ceil(bytes / minAverageBytes);

function startCopying(read: Buffer): Copying {
  if (scratch.length < read.length) scratch = Buffer.allocUnsafeSlow(read.length);
  const from = new DataView(read.buffer, read.byteOffset, read.length);
  return { read, from, into: scratch, to: new DataView(scratch.buffer) };
}
