/** Discards a body that is not used, so that the connection serves the next request; within limits. */
import type { Request, RequestHandler } from 'express';
import { isChunked } from './chunked-body.ts';
import { dropBodyAndClose } from './drop-body.ts';
import { lingerAfterResponse } from './lingering-close.ts';
import { PieceCount } from './piece-count.ts';

/** A body that is longer, or in too many pieces, costs the client its connection. Each chunk costs something. */
const maxBytes = 1024 * 1024;
const maxChunkedBytes = 32 * 1024;

/** Must be called before the response is written, and as early as possible; has no effect the second time. */
export function discardBody(request: Request): void {
  const { socket, context } = request;
  if (context.isBodyDiscarded) return;
  context.isBodyDiscarded = true;
  lingerAfterResponse(socket);
  const isInChunks = isChunked(request);
  if (!isInChunks && Number(request.headers['content-length'] ?? 0) <= maxBytes) return; // node:http drops it after the response
  const count = new PieceCount();
  const onData = (piece: Buffer) => {
    count.add(piece);
    if (count.bytes <= (isInChunks ? maxChunkedBytes : maxBytes) && !count.isExceeded()) return;
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

const ignore = () => {};
