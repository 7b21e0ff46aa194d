/** Finds the first byte at which a text stops being UTF-8. Called only after `isUtf8` has failed. */
import { isUtf8 } from 'node:buffer';

/** Halves the range that holds the first invalid sequence, then walks the rest character by character. */
export function invalidUtf8Offset(bytes: Uint8Array): number {
  let valid = 0;
  let end = bytes.length;
  while (end - valid > 64) {
    let middle = (valid + end) >> 1;
    for (let back = 0; back < 3 && isContinuation(bytes[middle]!); back++) middle--;
    if (isUtf8(bytes.subarray(valid, middle))) valid = middle;
    else end = middle;
  }
  while (valid < bytes.length) {
    const next = valid + sequenceLength(bytes[valid]!);
    if (next > bytes.length || !isUtf8(bytes.subarray(valid, next))) break;
    valid = next;
  }
  return valid;
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

function sequenceLength(firstByte: number): number {
  if (firstByte < 0xc0) return 1;
  if (firstByte < 0xe0) return 2;
  return firstByte < 0xf0 ? 3 : 4;
}
