/** What is checked after each read from a connection: the length of a head, the chunks of a body, and bytes that node:http has lost. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { freeRead, isChunked, parseChunkedBodies } from './chunked-body.ts';
import { dropBodyAndClose } from './drop-body.ts';
import { isPause, kOnExecute, type Parser } from './parser.ts';
import { handleOf } from './socket-handle.ts';

/** A head of 16 KiB in packets of 64 bytes. */
const maxHeadReads = 256;
/** The parser counts 16 KiB of names and values, and neither what separates them nor empty lines before a request. */
const maxHeadBytes = 64 * 1024;
/** After a read with more chunks, others come first: libuv reads up to 32 times before it lets them. */
const maxReadChunks = 256;

export function checkReads(server: Server): void {
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const onExecute = parser?.[kOnExecute];
    if (!parser || typeof onExecute !== 'function') return;
    parser.headReads = 0;
    parser.headBytes = 0;
    parser.readChunks = 0;
    parser.isBetweenRequests = false;
    let parsedBytes = 0;
    parser[kOnExecute] = function checkRead(this: unknown, executed: unknown): unknown {
      const readBytes = socket.bytesRead - parsedBytes;
      const parsed = parser.chunkedBody ? parseChunkedBodies(parser, executed) : executed;
      const hasFailed = typeof parsed === 'number' && parsed !== readBytes && !parser.isBetweenRequests;
      if (typeof parsed === 'number' && !hasFailed) parser.chunkedBody?.read();
      parser.isBetweenRequests = false;
      freeRead(parser);
      if (hasFailed) return void (isServed(socket, parser) && server.emit('clientError', unknownError(), socket));
      if (socket.restoreParser && isPause(parsed)) return undefined;
      const result: unknown = onExecute.call(this, parsed);
      if (parser.readChunks! > maxReadChunks) readLater(socket);
      parser.readChunks = 0;
      if (socket.restoreBody && isInDroppedChunks(parser)) dropBodyAndClose(socket);
      if (typeof parsed !== 'number') return result; // an error, which ends the connection
      const headError = isInHead(parser) ? checkHead(parser, readBytes) : undefined;
      if (headError && socket.writable) server.emit('clientError', headError, socket);
      parsedBytes += parsed;
      if (readBytes > parsed && isServed(socket, parser)) dropBodyAndClose(socket);
      return result;
    };
  });
}

/**
 * The parser stops at the end of a request with `Upgrade`, which is served as an ordinary one, and node:http drops the rest of what it has
 * read: the next read begins anywhere, also in a body. The connection closes after the response, so that the client knows what was not served.
 * From the headers of such a request to those of the next one, the parser does not report its errors either: it only stops.
 */
const unknownError = (): Error => Object.assign(new Error(), { code: 'HPE_UNKNOWN' });

const isServed = (socket: Socket & { parser?: Parser | null }, parser: Parser): boolean =>
  socket.parser === parser && !socket.destroyed && !socket.restoreParser && !socket.isRejected;

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

const isInHead = ({ incoming }: Parser): boolean => !incoming || incoming.complete;

/** Each read takes about 10 µs, however short it is. `Parser.headReads` is set to 0 when the headers are complete. Pieces of a body are counted by who reads them. */
function checkHead(parser: Parser, readBytes: number): Error | undefined {
  parser.headBytes = parser.headReads === 0 ? 0 : parser.headBytes! + readBytes;
  if (++parser.headReads! === maxHeadReads + 1)
    return Object.assign(new Error(), { reason: `the headers are in more than ${maxHeadReads} pieces` });
  return parser.headBytes > maxHeadBytes ? Object.assign(new Error(), { code: 'HPE_HEADER_OVERFLOW' }) : undefined;
}
