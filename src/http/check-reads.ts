/** What is checked after each read from a connection: the pieces of a head, the chunks of a body, and bytes that node:http has lost. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { freeRead, isChunked, parseChunkedBodies } from './chunked-body.ts';
import { dropBodyAndClose } from './drop-body.ts';
import { isPause, kOnExecute, type Parser } from './parser.ts';
import { handleOf } from './socket-handle.ts';

/** A head of 16 KiB in packets of 64 bytes; as many for extensions of chunks and trailers. */
const maxPieces = 256;
/** After a read with more chunks, others come first: libuv reads up to 32 times before it lets them. */
const maxReadChunks = 256;

export function checkReads(server: Server): void {
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const onExecute = parser?.[kOnExecute];
    if (!parser || typeof onExecute !== 'function') return;
    parser.headReads = 0;
    parser.readChunks = 0;
    let parsedBytes = 0;
    parser[kOnExecute] = function checkRead(this: unknown, executed: unknown): unknown {
      const parsed = parser.chunkedBody ? parseChunkedBodies(parser, executed) : executed;
      if (typeof parsed === 'number') parser.chunkedBody?.read();
      freeRead(parser);
      if (socket.restoreParser && isPause(parsed)) return undefined;
      const result: unknown = onExecute.call(this, parsed);
      if (parser.readChunks! > maxReadChunks) readLater(socket);
      parser.readChunks = 0;
      if (socket.restoreBody && isInDroppedChunks(parser)) dropBodyAndClose(socket);
      const inPieces = whatIsInTooManyPieces(parser);
      if (inPieces && socket.writable) server.emit('clientError', tooManyPieces(inPieces), socket);
      if (typeof parsed !== 'number') return result; // an error, which ends the connection
      parsedBytes += parsed;
      if (socket.bytesRead > parsedBytes && socket.parser === parser) closeAfterLostBytes(socket);
      return result;
    };
  });
}

/** Whether the rest of a body that nobody reads may come in any number of chunks, each of which costs something. */
const isInDroppedChunks = ({ chunkedBody, incoming }: Parser): boolean =>
  !chunkedBody && incoming !== undefined && incoming !== null && !incoming.complete && isChunked(incoming);

/** Not before the next turn. Who has stopped reading for another reason starts it again. */
function readLater(socket: Socket): void {
  if (!handleOf(socket)?.reading) return;
  handleOf(socket)!.readStop();
  setImmediate(() => {
    const handle = handleOf(socket);
    if (handle?.reading && !socket.pipeline?.isStopped) handle.readStart();
  });
}

/** Each piece takes node:http about 10 µs, however short it is. `Parser.headReads` is set to 0 when the headers are complete. Pieces of data are counted by who reads them. */
function whatIsInTooManyPieces(parser: Parser): string | undefined {
  const isHead = !parser.incoming || parser.incoming.complete;
  if (isHead && ++parser.headReads! === maxPieces + 1) return 'the headers are';
  return parser.chunkedBody && parser.chunkedBody.emptyReads > maxPieces ? 'what is around the chunks is' : undefined;
}

const tooManyPieces = (what: string): Error =>
  Object.assign(new Error(), { reason: `${what} in more than ${maxPieces} pieces` });

/**
 * The parser stops at the end of a request with `Upgrade`, which is served as an ordinary one, and node:http drops the rest of what it has
 * read: the next read begins anywhere, also in a body. The connection closes after the response, so that the client knows what was not served.
 */
function closeAfterLostBytes(socket: Socket): void {
  if (!socket.destroyed && !socket.restoreParser && !socket.isRejected) dropBodyAndClose(socket);
}
