/** Takes the data out of a chunked body. The parser of node:http has found its bytes valid. */

/** The smallest average that a chunked body may have. */
export const minAverageBytes = 16;
/** Chunks that may be smaller at first: those that follow may be larger. */
const slack = 32;

type Part = 'size' | 'extension' | 'data' | 'end of data' | 'trailers' | 'none';

const lf = 0x0a;
const cr = 0x0d;

/** The data of one read; larger than what node:http reads at a time. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

export class ChunkDecoder {
  /** Without the last one, which is empty. */
  chunks = 0;
  /** Of data. */
  bytes = 0;
  #part: Part = 'size';
  /** The bytes that the current chunk has left, or its size as far as it is known. */
  #left = 0;
  #isLineEmpty = true;

  /** The data in the next bytes of the body. What follows the body is not looked at. */
  decode(read: Buffer): Buffer {
    if (scratch.length < read.length) scratch = Buffer.allocUnsafeSlow(read.length);
    let length = 0;
    for (let at = 0; at < read.length && this.#part !== 'none';) {
      if (this.#part === 'data') {
        const taken = Math.min(this.#left, read.length - at);
        copy(read, at, length, taken);
        length += taken;
        at += taken;
        this.#left -= taken;
        if (this.#left === 0) this.#part = 'end of data';
      } else this.#skip(read[at++]!);
    }
    this.bytes += length;
    const data = Buffer.allocUnsafeSlow(length); // the scratch is used again, and this memory can be freed
    scratch.copy(data, 0, 0, length);
    return data;
  }

  get isComplete(): boolean {
    return this.#part === 'none';
  }

  /** Whether the chunks are too small, even if the rest comes in one. */
  isExceeded(): boolean {
    const extra = this.isComplete ? 0 : slack;
    return this.chunks > 1 && this.chunks > extra + Math.ceil(this.bytes / minAverageBytes);
  }

  /** One byte of what is around the data. */
  #skip(byte: number): void {
    if (byte === cr) return;
    if (byte === lf) return this.#endLine();
    if (this.#part === 'trailers') this.#isLineEmpty = false;
    if (this.#part !== 'size') return;
    const digit = hexDigit(byte);
    if (digit === undefined) this.#part = 'extension';
    else this.#left = this.#left * 16 + digit;
  }

  #endLine(): void {
    if (this.#part === 'end of data') this.#part = 'size';
    else if (this.#part === 'trailers') {
      if (this.#isLineEmpty) this.#part = 'none';
      this.#isLineEmpty = true;
    } else if (this.#left > 0) {
      this.chunks++;
      this.#part = 'data';
    } else this.#part = 'trailers';
  }
}

/** Less than this is copied byte by byte: a call takes longer. */
const minCopy = 48;

function copy(from: Buffer, at: number, to: number, bytes: number): void {
  if (bytes >= minCopy) from.copy(scratch, to, at, at + bytes);
  else for (let i = 0; i < bytes; i++) scratch[to + i] = from[at + i]!;
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}
