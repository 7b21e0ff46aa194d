/** Frames the responses of one connection (RFC 9112): by length, by chunks, or by the end of the connection. Linear and bounded. */
import { ByteBuffer } from './byte-buffer.ts';
import { hexDigit } from './hex-digit.ts';
import { excessive, incomplete, malformed, ResponseHead } from './response-head.ts';

/** `incomplete`: more bytes are needed. */
export type Progress = 'incomplete' | 'complete' | 'malformed' | 'excessive';

/** Bytes of a response that are not its body: heads, trailers, and the framing of chunks. Nothing of them is kept, so they need no count. */
const maxOverheadBytes = 16 * 1024;
const maxFramingBytes = 8; // per chunk
const maxInformational = 10;
/** Pieces in which a body may arrive, chunks among them, and reads of a whole response, besides one per 64 bytes: a read costs more. */
const maxSmallPieces = 1_000;
const maxSmallReads = 256;
const minPieceBytes = 64;
/** The size that no body may have, whatever its caller accepts: a chunk of this size is not read to its last digit. */
const hugeBytes = 2 ** 40;

const [lineFeed, carriageReturn, semicolon] = [0x0a, 0x0d, 0x3b];
/** A list of names with optional values. The alternatives exclude each other, so the test is linear. */
const extensions =
  /^(?:;[!#$%&'*+\-.^`|~\w]+(?:=(?:[!#$%&'*+\-.^`|~\w]*|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)+$/;

const statusLine = 0;
const headers = 1;
const fixedBody = 2;
const bodyUntilClose = 3;
const chunkSize = 4;
const chunkData = 5;
const chunkEnd = 6;
const trailers = 7;
const done = 8;

export class ResponseParser {
  readonly head = new ResponseHead();
  /** Once the response is complete: where its body is. Valid until the next bytes are read. */
  body: Buffer;
  bodyStart = 0;
  bodyEnd = 0;
  /** Whether there were bytes after the response. */
  hasRest = false;
  readonly #trailers = new ResponseHead();
  /** The beginning of a line whose end has not arrived. */
  readonly #held = new ByteBuffer();
  readonly #received = new ByteBuffer();
  #state = statusLine;
  #maxBytes = 0;
  #keepsBody = true;
  #bytes = 0;
  #pieces = 0;
  #reads = 0;
  #readBytes = 0;
  #chunks = 0;
  #chunkLeft = 0;
  #overhead = 0;
  #informational = 0;

  constructor() {
    this.body = this.#received.bytes;
  }

  /** A new response, whose body may have `maxBytes`. */
  start(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    this.#state = statusLine;
    this.#bytes =
      this.#pieces =
      this.#reads =
      this.#readBytes =
      this.#chunks =
      this.#overhead =
      this.#informational =
        0;
    this.bodyStart = this.bodyEnd = 0;
    this.head.reset();
  }

  /** The head of the final response has been read. */
  get hasHead(): boolean {
    return this.#state >= fixedBody;
  }

  /** The memory of a response that is no longer needed. */
  release(): void {
    if (this.#held.bytes.length > 0) this.#held.clear();
    if (this.#received.bytes.length > 0) this.#received.clear();
    this.body = this.#received.bytes;
  }

  /** Reads the first `length` bytes of `chunk`. Without `keepsBody` the body is dropped. */
  execute(chunk: Buffer, length: number, keepsBody: boolean): Progress {
    this.#keepsBody = keepsBody;
    this.#readBytes += length;
    if (++this.#reads > maxSmallReads + this.#readBytes / minPieceBytes) return 'excessive';
    if (this.#held.length === 0) return this.#consume(chunk, length);
    const held = this.#held;
    const before = held.length;
    held.append(chunk, 0, length);
    if (before + this.#overhead + length <= this.#maxOverhead && findLineFeed(held.bytes, before, held.length) === -1)
      return 'incomplete';
    return this.#consume(held.bytes, held.length);
  }

  /** The server has closed its side. */
  finish(): Progress {
    return this.#state === bodyUntilClose
      ? this.#complete(this.#received.bytes, 0, this.#received.length)
      : 'malformed';
  }

  get #maxOverhead(): number {
    return maxOverheadBytes + this.#chunks * maxFramingBytes;
  }

  #consume(bytes: Buffer, end: number): Progress {
    let at = 0;
    while (at < end) {
      const next = this.#step(bytes, at, end);
      if (next === malformed) return 'malformed';
      if (next === excessive) return 'excessive';
      if (next === incomplete) return this.#hold(bytes, at, end);
      at = next;
      if (this.#overhead > this.#maxOverhead) return 'excessive';
      if (this.#state === done) {
        this.hasRest = at < end;
        return 'complete';
      }
    }
    if (this.#held.length > 0) this.#held.length = 0;
    return 'incomplete';
  }

  #hold(bytes: Buffer, at: number, end: number): Progress {
    if (end - at + this.#overhead > this.#maxOverhead) return 'excessive';
    if (bytes === this.#held.bytes) this.#held.drop(at);
    else this.#held.append(bytes, at, end);
    return 'incomplete';
  }

  /** Returns the offset of what follows, or a negative result. */
  #step(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case statusLine:
        return this.#readStatusLine(bytes, at, end);
      case headers:
        return this.#readHeaders(bytes, at, end);
      case fixedBody:
        return this.#readFixedBody(bytes, at, end);
      case chunkSize:
        return this.#readChunkSize(bytes, at, end);
      case chunkData:
        return this.#readChunkData(bytes, at, end);
      case chunkEnd:
        return this.#readChunkEnd(bytes, at, end);
      case trailers:
        return this.#readTrailers(bytes, at, end);
      default:
        return this.#take(bytes, at, end) ? end : excessive;
    }
  }

  /** Empty lines before a response are ignored. */
  #readStatusLine(bytes: Buffer, start: number, end: number): number {
    if (bytes[start] === carriageReturn || bytes[start] === lineFeed) {
      this.#overhead++;
      return start + 1;
    }
    const next = this.head.readStatusLine(bytes, start, end);
    if (next < 0) return next;
    this.#overhead += next - start;
    this.#state = headers;
    return next;
  }

  #readHeaders(bytes: Buffer, start: number, end: number): number {
    const next = this.head.readHeaderLine(bytes, start, end);
    if (next < 0) return next;
    this.#overhead += next - start;
    return this.head.isComplete ? this.#endHead(next) : next;
  }

  /** Decides how the body is delimited (RFC 9112, section 6.3). */
  #endHead(next: number): number {
    const { head } = this;
    const { status, contentLength } = head;
    if (head.hasTransferEncoding && contentLength !== -1) return malformed;
    if (status < 200) return this.#endInformational(next);
    if (status === 204 || status === 304) {
      if (contentLength > 0 || head.isChunked) head.keepsAlive = false; // a body that must not be there may follow
      this.#complete(this.#received.bytes, 0, 0);
    } else if (head.isChunked) this.#state = chunkSize;
    else if (contentLength > this.#maxBytes) {
      this.#state = fixedBody;
      return excessive;
    } else if (contentLength === 0) this.#complete(this.#received.bytes, 0, 0);
    else if (contentLength > 0) this.#state = fixedBody;
    else {
      this.#state = bodyUntilClose;
      head.keepsAlive = false;
    }
    return next;
  }

  /** 101 would change the protocol, which no call requests. After one that closes the connection, nothing follows. */
  #endInformational(next: number): number {
    if (this.head.status === 101 || !this.head.keepsAlive) return malformed;
    if (++this.#informational > maxInformational) return excessive;
    this.head.reset();
    this.#state = statusLine;
    return next;
  }

  #readFixedBody(bytes: Buffer, start: number, end: number): number {
    const left = this.head.contentLength - this.#bytes;
    if (this.#bytes === 0 && end - start >= left) {
      this.#complete(bytes, start, start + left); // most responses arrive at once and need no copy
      return start + left;
    }
    const next = Math.min(end, start + left);
    if (!this.#take(bytes, start, next)) return excessive;
    if (this.#bytes === this.head.contentLength) this.#complete(this.#received.bytes, 0, this.#received.length);
    return next;
  }

  #readChunkSize(bytes: Buffer, start: number, end: number): number {
    let at = start;
    let size = 0;
    for (let digit; at < end && (digit = hexDigit(bytes[at]!)) !== -1; at++) {
      size = size * 16 + digit;
      if (size > hugeBytes) return excessive;
    }
    if (at === end) return incomplete;
    if (at === start) return malformed;
    const lineEnd = bytes[at] === semicolon ? findLineFeed(bytes, at, end) - 1 : at;
    if (lineEnd < at) return incomplete;
    if (lineEnd + 1 === end) return bytes[lineEnd] === carriageReturn ? incomplete : malformed;
    if (bytes[lineEnd] !== carriageReturn || bytes[lineEnd + 1] !== lineFeed) return malformed;
    if (lineEnd > at && !extensions.test(bytes.toString('latin1', at, lineEnd))) return malformed;
    if (size > this.#maxBytes - this.#bytes) return excessive;
    this.#chunks++;
    this.#chunkLeft = size;
    this.#overhead += lineEnd + 2 - start;
    this.#state = size === 0 ? trailers : chunkData;
    this.#trailers.reset();
    return lineEnd + 2;
  }

  #readChunkData(bytes: Buffer, start: number, end: number): number {
    const next = Math.min(end, start + this.#chunkLeft);
    if (!this.#take(bytes, start, next)) return excessive;
    this.#chunkLeft -= next - start;
    if (this.#chunkLeft === 0) this.#state = chunkEnd;
    return next;
  }

  #readChunkEnd(bytes: Buffer, start: number, end: number): number {
    if (bytes[start] !== carriageReturn) return malformed;
    if (start + 1 === end) return incomplete;
    if (bytes[start + 1] !== lineFeed) return malformed;
    this.#overhead += 2;
    this.#state = chunkSize;
    return start + 2;
  }

  /** Their syntax is checked; they have no effect. Those that frame a message are not allowed (RFC 9110, section 6.5.1). */
  #readTrailers(bytes: Buffer, start: number, end: number): number {
    const next = this.#trailers.readHeaderLine(bytes, start, end);
    if (next < 0) return next;
    const { isComplete, contentLength, hasTransferEncoding } = this.#trailers;
    if (contentLength !== -1 || hasTransferEncoding) return malformed;
    this.#overhead += next - start;
    if (isComplete) this.#complete(this.#received.bytes, 0, this.#received.length);
    return next;
  }

  /** A piece of the body. False if the body, or the number of its pieces, exceeds the limit. */
  #take(bytes: Buffer, start: number, end: number): boolean {
    this.#bytes += end - start;
    this.#pieces++;
    if (this.#bytes > this.#maxBytes || this.#pieces > maxSmallPieces + this.#bytes / minPieceBytes) return false;
    if (this.#keepsBody) this.#received.append(bytes, start, end);
    else if (this.#received.length > 0) this.#received.clear();
    return true;
  }

  #complete(body: Buffer, start: number, end: number): Progress {
    this.#state = done;
    this.body = body;
    this.bodyStart = start;
    this.bodyEnd = end;
    return 'complete';
  }
}

/** -1 if there is none. (`indexOf` would search what an earlier read has left in the buffer.) */
function findLineFeed(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === lineFeed) return at;
  return -1;
}
