/** Reads the body of a call as text, up to a size. */
import type { IncomingMessage } from 'node:http';

const maxBytes = 1024 * 1024;

/** `done` gets undefined for a body that is too large, and is not called when the caller hangs up. */
export function readBody(request: IncomingMessage, done: (text: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    request.off('data', keep).off('end', finish).resume();
    done(undefined);
  };
  const finish = () => done((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)).toString());
  request.on('data', keep).on('end', finish).on('error', ignore);
}

const ignore = () => {};
