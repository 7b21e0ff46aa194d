/**
 * Gives the memory of a buffer back at once. V8 counts it as its own and does not know when it is no longer needed: every 50 MB or so it
 * would look for it through the whole heap, while all requests wait.
 */

/** Below it, the call takes longer than it spares. */
const minBytes = 4 * 1024;

/** The buffer is empty afterwards. One that shares its memory with others stays as it is. */
export function freeBytes(bytes: Buffer): void {
  const { buffer, byteLength } = bytes;
  if (byteLength < minBytes || buffer.byteLength !== byteLength) return;
  if ('transfer' in buffer) buffer.transfer(0);
}
