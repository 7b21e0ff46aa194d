/** Makes the HTTP parser of a connection drop the body without reporting its chunks. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ChunkCount } from './chunk-count.ts';

/** The parser of node:http, which keeps its listeners under numbers. */
export interface Parser {
  [listener: number]: unknown;
  /** Undefined between connections. */
  socket?: Socket | null;
  /** Of the current request, if its body is chunked. */
  chunkCount?: ChunkCount | undefined;
  countsChunks?: boolean;
}

/** HTTPParser.kOnBody. tests/http/hostile-clients.test.ts fails if a version of Node.js changes it. */
const kOnBody = 3;

/**
 * node:http parses all that it has read before the event loop turns, and reports each chunk at about 3 µs: 64 KiB in
 * one-byte chunks take 30 ms, however soon the exchange loses interest. A parser without a listener drops them at once.
 * The connection must be closed afterwards; node:http reuses the parser for another one.
 */
export function muteBody(socket: Socket & { parser?: Parser | null }): void {
  const { parser } = socket;
  const listener = parser?.[kOnBody];
  if (!parser || typeof listener !== 'function') return;
  parser[kOnBody] = undefined;
  socket.pause(); // until lingeringClose drops the rest unparsed
  const unmute = () => (parser[kOnBody] = listener);
  muted.set(socket, unmute);
  socket.once('close', unmute);
}

/**
 * Mutes bodies in small chunks where they are parsed: who reads the body gets no chunk before the parser has been through all that was
 * read from the socket, up to 2 MiB. Called for every connection; node:http reuses parsers, and their listeners with them.
 */
export function countChunks(parser: Parser): void {
  const report = parser[kOnBody];
  if (parser.countsChunks || typeof report !== 'function') return;
  parser.countsChunks = true;
  parser[kOnBody] = function countChunk(this: Parser, chunk: Buffer): unknown {
    const { chunkCount, socket } = this;
    if (chunkCount && socket) {
      chunkCount.add(chunk);
      if (chunkCount.isExceeded()) muteBody(socket);
    }
    return Reflect.apply(report, this, [chunk]);
  };
}

/** The headers of a request have been read. */
export function startCount(parser: Parser, request: IncomingMessage): void {
  parser.chunkCount = request.headers['transfer-encoding'] === undefined ? undefined : new ChunkCount(request);
}

/** Whether the connection must be closed, because its parser drops bodies. */
export const isMuted = (socket: Socket): boolean => muted.has(socket);

declare module 'node:net' {
  interface Socket {
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

const muted = new WeakMap<Socket, () => void>();

/** For CONNECT: node:http has already taken the parser from the socket, and reuses it at once. */
export function unmuteBody(socket: Socket): void {
  muted.get(socket)?.();
  muted.delete(socket);
}
