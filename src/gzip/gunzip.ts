/** Decompresses gzip data, within limits on its size and on the number of its members. */
import { gunzipSync } from 'node:zlib';

export type Gunzipped = { bytes: Buffer } | { problem: string; isTooLarge: boolean };

/** Every member of a gzip file starts with these bytes. */
const magic = Buffer.from([0x1f, 0x8b, 0x08]);
/** zlib takes about 5 µs to start a member, and an empty one has 20 bytes. Clients send one; some tools append a few. */
const maxMembers = 16;

export function gunzip(data: Buffer, maxBytes: number): Gunzipped {
  if (hasTooManyMembers(data)) return { problem: `it has more than ${maxMembers} members`, isTooLarge: false };
  try {
    return { bytes: gunzipSync(data, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: message, isTooLarge: code === 'ERR_BUFFER_TOO_LARGE' };
  }
}

/** Counts an upper bound: compressed data contains these bytes by chance about once per 16 MiB. */
function hasTooManyMembers(data: Buffer): boolean {
  let found = 0;
  for (let at = data.indexOf(magic); at !== -1; at = data.indexOf(magic, at + magic.length)) {
    if (++found > maxMembers) return true;
  }
  return false;
}
