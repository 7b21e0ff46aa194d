/**
 * Reads chunked bodies. node:http copies and reports each chunk, at 3 to 4 µs; its parser alone takes a fraction. So the parser still
 * decides what is valid and where a body ends, without a listener, and the data is taken out of what was read.
 */
import type { Socket } from 'node:net';
import { freeBytes } from '../bytes/free-bytes.ts';
import { ChunkDecoder, minAverageBytes } from './chunk-decoder.ts';
import { dropBodyAndClose, ignoreBody } from './drop-body.ts';
import type { BodyError } from './read-body.ts';
import { isPause, type ParsedRequest, type Parser, pauseParsing } from './parser.ts';

const transferEncoding = 'transfer-encoding';
/** Reads with only sizes, line ends, extensions or trailers, besides one per `minAverageBytes` of data: a chunk may come in three packets. */
const maxEmptyReads = 256;

/** node:http rejects a transfer encoding that does not end in `chunked`. Not by `headers`, which for a request that is shed are never needed. */
export function isChunked({ rawHeaders }: Pick<ParsedRequest, 'rawHeaders'>): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === transferEncoding.length && name.toLowerCase() === transferEncoding) return true;
  }
  return false;
}

/** What is wrong with the chunks of its body: what follows is dropped. */
export const chunkErrorOf = (request: ParsedRequest): BodyError | undefined => request.chunkError;

const tooSmall: BodyError = { error: 'http.smallChunks' };
const tooLong: BodyError = {
  error: 'http.malformed',
  detail: 'what is around the chunks is longer than their data by more than 16 KiB',
};
const tooManyReads: BodyError = {
  error: 'http.malformed',
  detail: `what is around the chunks is in more than ${maxEmptyReads} pieces`,
};

/** The chunked body of the current request of a connection. */
export class ChunkedBody {
  /** Whether the parser has stopped before the body, to be continued by `parseChunkedBodies`. */
  isPaused = true;
  #emptyReads = 0;
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
    if (data.length > 0) parser.reportBody!(data);
    else this.#emptyReads++;
    if (decoder.areTooSmall()) this.#reject(tooSmall);
    else if (decoder.hasOverhead()) this.#reject(tooLong);
    else if (this.#emptyReads > maxEmptyReads + decoder.bytes / minAverageBytes) this.#reject(tooManyReads);
  }

  /** `readBody` checks `chunkError`, if it starts later. */
  #reject(error: BodyError): void {
    this.#request.chunkError = error;
    dropBodyAndClose(this.#socket);
    this.#request.context?.bodyReceiver?.reject(error);
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
