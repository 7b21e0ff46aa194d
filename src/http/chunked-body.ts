/**
 * Reads chunked bodies. node:http copies and reports each chunk, at 3 to 4 µs; its parser alone takes a fraction. So the parser still
 * decides what is valid and where a body ends, without a listener, and the data is taken out of what was read.
 */
import type { Socket } from 'node:net';
import { freeBytes } from '../bytes/free-bytes.ts';
import { ChunkDecoder } from './chunk-decoder.ts';
import { dropBodyAndClose, ignoreBody } from './drop-body.ts';
import { isPause, type ParsedRequest, type Parser, pauseParsing } from './parser.ts';

const transferEncoding = 'transfer-encoding';

/** node:http rejects a transfer encoding that does not end in `chunked`. Not by `headers`, which for a request that is shed are never needed. */
export function isChunked({ rawHeaders }: Pick<ParsedRequest, 'rawHeaders'>): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === transferEncoding.length && name.toLowerCase() === transferEncoding) return true;
  }
  return false;
}

/** Whether the chunks of its body are too small: what follows is dropped. */
export const hasSmallChunks = (request: ParsedRequest): boolean => request.hasSmallChunks === true;

/** The chunked body of the current request of a connection. */
export class ChunkedBody {
  /** Whether the parser has stopped before the body, to be continued by `parseChunkedBodies`. */
  isPaused = true;
  /** Reads without data. */
  emptyReads = 0;
  readonly #parser: Parser;
  readonly #socket: Socket;
  readonly #request: ParsedRequest;
  readonly #decoder = new ChunkDecoder();

  private constructor(parser: Parser, socket: Socket, request: ParsedRequest) {
    this.#parser = parser;
    this.#socket = socket;
    this.#request = request;
  }

  /** At the headers of a request. What the parser's listener is to return. */
  static start(parser: Parser, socket: Socket, request: ParsedRequest): number {
    ignoreBody(socket, parser);
    parser.chunkedBody = new ChunkedBody(parser, socket, request);
    return pauseParsing;
  }

  /** Reports the data in what was read, which begins in this body. */
  read(): void {
    const parser = this.#parser;
    const decoder = this.#decoder;
    const chunksBefore = decoder.chunks;
    const data = decoder.decode(unparsedOf(parser));
    parser.readChunks! += decoder.chunks - chunksBefore;
    if (decoder.isExceeded()) {
      this.#request.hasSmallChunks = true;
      dropBodyAndClose(this.#socket);
    }
    if (data.length > 0) parser.reportBody!(data);
    else this.emptyReads++;
  }
}

/** Goes on after a pause before a chunked body. Returns what `kOnExecute` would have got without it. */
export function parseChunkedBodies(parser: Parser, executed: unknown): unknown {
  let parsed = executed;
  let total = 0;
  while (parser.chunkedBody?.isPaused) {
    const bytes = isPause(parsed) ? parsed.bytesParsed : parsed; // a number if the request has `Upgrade`
    if (typeof bytes !== 'number') break;
    parser.chunkedBody.isPaused = false;
    total += bytes;
    const unparsed = unparsedOf(parser).subarray(bytes);
    parser.unparsed = unparsed;
    parser.resume();
    parsed = unparsed.length === 0 ? 0 : parser.execute(unparsed);
  }
  return typeof parsed === 'number' ? total + parsed : parsed;
}

function unparsedOf(parser: Parser): Buffer {
  parser.read ??= parser.getCurrentBuffer();
  return (parser.unparsed ??= parser.read);
}

/** What was read has been parsed. */
export function freeRead(parser: Parser): void {
  if (!parser.read) return;
  freeBytes(parser.read);
  parser.read = undefined;
  parser.unparsed = undefined;
}
