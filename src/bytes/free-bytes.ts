/**
 * Frees the memory of a buffer at once. V8 counts it, but does not know when it is no longer needed: it would collect its whole heap again
 * and again, while all requests wait.
 */

/** For a smaller buffer, the call costs more than it saves. */
const minBytes = 4 * 1024;

/** The buffer is empty afterwards. One that shares its memory with others stays as it is. */
export function freeBytes(bytes: Buffer): void {
  const { buffer, byteLength } = bytes;
  if (byteLength < minBytes || buffer.byteLength !== byteLength) return;
  if ('transfer' in buffer) buffer.transfer(0);
}
