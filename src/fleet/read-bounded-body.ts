/** Reads the body of a request to the admin server within a bound. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A body that is too long is received up to this many times the bound, because a client that still sends may lose its response. */
const discardFactor = 4;

/** Resolves with undefined if the body is longer than `maxBytes`. Rejects if the client leaves. */
export async function readBoundedBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > discardFactor * maxBytes) return undefined;
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    if (bytes > discardFactor * maxBytes) return undefined;
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks, bytes);
}
