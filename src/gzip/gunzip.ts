/** Decompresses gzip data, within limits on its size and on the number of its members. */
import { gunzipSync } from 'node:zlib';

export type Gunzipped = { bytes: Buffer } | { problem: string; isTooLarge: boolean };

/** Every member of a gzip file starts with these bytes. */
const magic = Buffer.from([0x1f, 0x8b, 0x08]);
/** zlib takes about 5 µs to start a member, and an empty one has 20 bytes. Clients send one; some tools append a few. */
const maxMembers = 16;

/** Blocks without content take zlib up to 3 µs each. 256 KiB of JSON take no more than this compressed, even if their texts are random in Base64. */
export const maxGzippedBytes = 200 * 1024;

export function gunzip(data: Buffer, maxBytes: number): Gunzipped {
  if (data.length > maxGzippedBytes) return { problem: `it has more than ${maxGzippedBytes} bytes`, isTooLarge: true };
  if (hasTooManyMembers(data)) return { problem: `it has more than ${maxMembers} members`, isTooLarge: false };
  try {
    return { bytes: gunzipSync(data, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: message, isTooLarge: code === 'ERR_BUFFER_TOO_LARGE' };
  }
}

/** The decompressed size that the trailer of the last member states, modulo 2^32. Decompression fails if it is wrong. */
const announcedBytes = (data: Buffer): number => (data.length < 4 ? 0 : data.readUInt32LE(data.length - 4));

/** Up to this size, even blocks without content take less than a millisecond. */
const smallBytes = 4 * 1024;
/** Above this one, they may take more than two, and the size that the data announces may be wrong. */
const mediumBytes = 8 * 1024;

/**
 * Whether decompressing and using the data may cost as much as `bytes` of plain data or more. Compressed text is at most half as long as
 * the text; what is longer may consist of blocks without content.
 */
export function isCostlyGzip(data: Buffer, bytes: number): boolean {
  const announced = announcedBytes(data);
  return announced > bytes || data.length > mediumBytes || (data.length > smallBytes && announced < 2 * data.length);
}

/** Counts an upper bound: compressed data contains these bytes by chance about once per 16 MiB. */
function hasTooManyMembers(data: Buffer): boolean {
  let found = 0;
  for (let at = data.indexOf(magic); at !== -1; at = data.indexOf(magic, at + magic.length)) {
    if (++found > maxMembers) return true;
  }
  return false;
}
