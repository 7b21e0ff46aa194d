/** Makes the HTTP parser of a connection drop the body without reporting its chunks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freeBytes } from '../bytes/free-bytes.ts';
import { ChunkCount, isChunked } from './chunk-count.ts';
import { lingeringClose } from './lingering-close.ts';

/** The parser of node:http, which keeps its listeners under numbers. */
export interface Parser {
  [listener: number]: unknown;
  /** Parses no further than the current read. For each later one, `kOnExecute` gets an error with the code `HPE_PAUSED`. */
  pause(): void;
  /** Both are undefined between connections. */
  socket?: Socket | null;
  incoming?: (IncomingMessage & { _dumped?: boolean }) | null;
  countsChunks?: boolean;
  /** Pieces in which the head of the next request has arrived so far. */
  headReads?: number;
  /** Whether no chunk of the current body has been reported yet. */
  isBodyNew?: boolean;
  /** Counts the chunks of the current body, if it is chunked. */
  chunkCount?: ChunkCount | undefined;
  /** Chunks reported in the current read. */
  readChunks?: number;
  /** Called for each so many chunks of a body. */
  onChunks?: OnChunks;
}

export type OnChunks = (request: IncomingMessage, chunks: number) => void;

/** Chunks of a body that are charged at once. A body with fewer takes no longer than an ordinary request. */
const chargedChunks = 64;

/** HTTPParser.kOnBody. tests/http/hostile-clients.test.ts fails if a version of Node.js changes it. */
const kOnBody = 3;

/**
 * node:http parses all that it has read before the event loop turns, and reports each chunk at about 3 µs: 64 KiB in
 * one-byte chunks take 30 ms, however soon the exchange loses interest. Without a listener they cost much less, and after these 64 KiB
 * the parser is paused. The connection is closed afterwards: at once if its response is written, else with the response (`createFinish`).
 */
export function dropBodyAndClose(socket: Socket & { parser?: Parser | null }): void {
  socket.restoreBody?.(); // its listener is the one to restore when the connection is closed
  const { parser } = socket;
  const listener = parser?.[kOnBody];
  if (!parser || typeof listener !== 'function') return;
  parser[kOnBody] = undefined;
  parser.pause();
  socket.pause(); // until lingeringClose drops the rest unparsed
  const restore = () => (parser[kOnBody] = listener);
  socket.restoreParser = restore;
  socket.once('close', restore);
  socket.destroySoon = () => lingeringClose(socket); // which node:http calls after the response
  // The latest response is that of an earlier request as long as this one is held.
  if (!socket.heldRequest && socket.latestResponse?.headersSent) lingeringClose(socket);
}

/** Whether the body of this request was dropped with `dropBodyAndClose`: no other request can follow it. */
export function wasBodyDropped(response: ServerResponse): boolean {
  const { restoreParser, latestResponse } = response.req.socket;
  return restoreParser !== undefined && latestResponse === response;
}

/**
 * Drops bodies in small chunks where they are parsed: who reads the body gets no chunk before the parser has been through all that was
 * read from the socket, up to 2 MiB. Called for every connection; node:http reuses parsers, and their listeners with them.
 */
export function countChunks(parser: Parser, onChunks: OnChunks): void {
  parser.onChunks = onChunks;
  const report = parser[kOnBody];
  if (parser.countsChunks || typeof report !== 'function') return;
  parser.countsChunks = true;
  parser[kOnBody] = function countChunk(this: Parser, chunk: Buffer): unknown {
    if (this.isBodyNew && this.incoming) startCount(this, this.incoming);
    if (this.chunkCount) {
      this.chunkCount.add(chunk);
      this.readChunks = (this.readChunks ?? 0) + 1;
      if (this.incoming && this.chunkCount.chunks % chargedChunks === 0) this.onChunks?.(this.incoming, chargedChunks);
      if (this.socket && this.chunkCount.isExceeded()) dropBodyAndClose(this.socket);
    }
    const isDropped = this.incoming?._dumped === true;
    const reported = (report as OnBody).call(this, chunk);
    if (isDropped) freeBytes(chunk);
    return reported;
  };
}

type OnBody = (this: Parser, chunk: Buffer) => unknown;

/** With the first chunk, not with the headers: a request that is shed has no chunk, and its headers are never looked at. */
function startCount(parser: Parser, request: IncomingMessage): void {
  parser.isBodyNew = false;
  parser.chunkCount = isChunked(request.headers) ? new ChunkCount(request) : undefined;
}

declare module 'node:net' {
  interface Socket {
    /** Makes the parser report bodies again. If it is set, the connection must be closed. */
    restoreParser?: (() => void) | undefined;
    /** Makes the parser report bodies again; set as long as it drops one. */
    restoreBody?: (() => void) | undefined;
  }
}

/** Drops the body of the current request only. `restoreBody` must be called when the headers of the next one are there. */
export function dropBody(socket: Socket & { parser?: Parser | null }): void {
  const { parser } = socket;
  const listener = parser?.[kOnBody];
  if (!parser || typeof listener !== 'function') return;
  parser[kOnBody] = undefined;
  const restore = () => {
    parser[kOnBody] = listener;
    socket.restoreBody = undefined;
    socket.off('close', restore);
  };
  socket.restoreBody = restore;
  socket.once('close', restore);
}
