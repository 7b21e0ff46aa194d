/** Forwards the output of a child process to an output of this process, in whole lines. */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { BoundedOutput } from './bounded-output.ts';

/** A longer line is forwarded in parts. */
const maxLineBytes = 65_536;
const newline = 10;

/** Resolves when the stream has ended. Lines of several processes do not mix. */
export async function forwardLines(stream: Readable, output: Pick<BoundedOutput, 'write'>): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end =
      bytes.length - bytes.lastIndexOf(newline) > maxLineBytes ? bytes.length : bytes.lastIndexOf(newline) + 1;
    if (end > 0) output.write(bytes.subarray(0, end));
    rest = bytes.subarray(end);
  });
  await finished(stream).catch(() => {}); // a broken stream has no more lines either
  if (rest.length > 0) output.write(Buffer.concat([rest, Buffer.from('\n')]));
}
