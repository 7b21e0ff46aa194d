/** Bytes that arrive in pieces: grows by doubling, so that appending is linear and the memory at most twice what has arrived. */
import { freeBytes } from '../bytes/free-bytes.ts';

const empty = Buffer.alloc(0);
const minCapacity = 1_024;

export class ByteBuffer {
  bytes: Buffer = empty;
  length = 0;

  append(source: Buffer, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minCapacity, length, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      freeBytes(this.bytes);
      this.bytes = larger;
    }
    source.copy(this.bytes, this.length, start, end);
    this.length = length;
  }

  /** Removes the first `count` bytes. */
  drop(count: number): void {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
  }

  /** Gives the memory back. */
  clear(): void {
    freeBytes(this.bytes);
    this.bytes = empty;
    this.length = 0;
  }
}
