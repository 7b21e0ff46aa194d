/** Gzip data that takes zlib long: blocks without content, each with Huffman codes of its own, which zlib builds and never uses. */
import { gzipSync } from 'node:zlib';

/** Writes bits as deflate does: the lowest first. */
class BitWriter {
  readonly bytes: number[] = [];
  #current = 0;
  #length = 0;

  write(value: number, bits: number): void {
    for (let bit = 0; bit < bits; bit++) {
      this.#current |= ((value >> bit) & 1) << this.#length;
      if (++this.#length === 8) this.flush();
    }
  }

  flush(): void {
    if (this.#length > 0) this.bytes.push(this.#current);
    this.#current = 0;
    this.#length = 0;
  }
}

/** The order in which RFC 1951 lists the lengths of the codes that code lengths are written in. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
const [repeatLast, repeatZeros] = [16, 18];

/** 257 literals and one distance. */
function writeHeader(bits: BitWriter, isLast: boolean, lengthOf: (symbol: number) => number): void {
  bits.write(isLast ? 1 : 0, 1);
  bits.write(2, 2); // with codes of its own
  bits.write(0, 5);
  bits.write(0, 5);
  bits.write(lengthOrder.length - 4, 4);
  for (const symbol of lengthOrder) bits.write(lengthOf(symbol), 3);
}

/** Only "end of block" and the distance have a code. */
function writeFewCodes(bits: BitWriter, isLast: boolean): void {
  writeHeader(bits, isLast, (symbol) => (symbol === repeatZeros || symbol === 1 ? 1 : 0));
  for (const zeros of [138, 118]) {
    bits.write(1, 1); // repeatZeros
    bits.write(zeros - 11, 7);
  }
  for (let code = 0; code < 2; code++) bits.write(0, 1); // a length of 1
  bits.write(0, 1); // end of block
}

/** All literals but the first have a code of 8 bits, and the distance has none: zlib fills the whole table. */
function writeAllCodes(bits: BitWriter, isLast: boolean): void {
  const codes: Record<number, { code: number; bits: number }> = {
    [repeatLast]: { code: 0b0, bits: 1 },
    0: { code: 0b01, bits: 2 }, // "10" with its first bit lowest
    8: { code: 0b11, bits: 2 },
  };
  const write = (symbol: number) => bits.write(codes[symbol]!.code, codes[symbol]!.bits);
  writeHeader(bits, isLast, (symbol) => codes[symbol]?.bits ?? 0);
  write(0);
  write(8);
  for (let left = 255; left > 0;) {
    const repeated = Math.min(left, 6);
    if (repeated < 3) write(8);
    else {
      write(repeatLast);
      bits.write(repeated - 3, 2);
    }
    left -= repeated < 3 ? 1 : repeated;
  }
  write(0); // the distance
  bits.write(0xff, 8); // end of block: the last code
}

/** Valid data of about this many bytes, whose content is empty. */
const emptyBlocks = (bytes: number, writeBlock: (bits: BitWriter, isLast: boolean) => void): Buffer => {
  const empty = gzipSync('');
  const bits = new BitWriter();
  while (bits.bytes.length < bytes - 80) writeBlock(bits, false);
  writeBlock(bits, true);
  bits.flush();
  return Buffer.concat([empty.subarray(0, 10), Buffer.from(bits.bytes), empty.subarray(-8)]);
};

export const emptyDynamicBlocks = (bytes: number): Buffer => emptyBlocks(bytes, writeFewCodes);
export const emptyFullBlocks = (bytes: number): Buffer => emptyBlocks(bytes, writeAllCodes);
