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
const repeatZeros = 18;

/** 257 literals and one distance; of these only "end of block" and the distance have a code. */
function writeBlock(bits: BitWriter, isLast: boolean): void {
  bits.write(isLast ? 1 : 0, 1);
  bits.write(2, 2); // with codes of its own
  bits.write(0, 5);
  bits.write(0, 5);
  bits.write(lengthOrder.length - 4, 4);
  for (const symbol of lengthOrder) bits.write(symbol === repeatZeros || symbol === 1 ? 1 : 0, 3);
  for (const zeros of [138, 118]) {
    bits.write(1, 1); // repeatZeros
    bits.write(zeros - 11, 7);
  }
  for (let code = 0; code < 2; code++) bits.write(0, 1); // a length of 1
  bits.write(0, 1); // end of block
}

/** Valid data of about this many bytes, whose content is empty. */
export function emptyDynamicBlocks(bytes: number): Buffer {
  const empty = gzipSync('');
  const bits = new BitWriter();
  while (bits.bytes.length < bytes - 40) writeBlock(bits, false);
  writeBlock(bits, true);
  bits.flush();
  return Buffer.concat([empty.subarray(0, 10), Buffer.from(bits.bytes), empty.subarray(-8)]);
}
