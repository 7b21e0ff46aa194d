/** Discards a body that is not used, so that the connection serves the next request; within limits. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { ChunkCount, isChunked } from './chunk-count.ts';
import { lingeringClose } from './lingering-close.ts';
import { dropBodyAndClose } from './drop-body.ts';

/** A body that is longer, or in too many chunks, costs the client its connection. */
const maxBytes = 1024 * 1024;

/** Must be called before the response is written, and as early as possible; has no effect the second time. */
export function discardBody(request: Request): void {
  const { socket, context } = request;
  if (context.isBodyDiscarded) return;
  context.isBodyDiscarded = true;
  // For a response that closes the connection: node:http would close it as soon as the response is written.
  socket.destroySoon = () => lingeringClose(socket);
  if (isShort(request.headers)) return; // node:http drops it after the response
  if (socket.hasCostlyChunks) return dropBodyAndClose(socket);
  const count = new ChunkCount(request);
  const onData = (chunk: Buffer) => {
    count.add(chunk);
    if (count.bytes <= maxBytes && !count.isExceeded()) return;
    request.off('data', onData);
    dropBodyAndClose(socket);
  };
  request.on('data', onData).on('error', ignore).resume();
  request.read(0); // marks the body as read: node:http would drop it uncounted
}

/** For requests that are rejected whatever their body contains. */
export const discardAnyBody: RequestHandler = (request, _response, next) => {
  discardBody(request);
  next();
};

const isShort = (headers: IncomingHttpHeaders): boolean =>
  !isChunked(headers) && Number(headers['content-length'] ?? 0) <= maxBytes;

const ignore = () => {};
