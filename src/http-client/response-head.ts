/** Reads the lines of a response's head (RFC 9112) as strictly as node:http does: what has two meanings is malformed. */

/** Results of a reader that are not the offset of the next byte. */
export const incomplete = -1;
export const malformed = -2;
export const excessive = -3;

const [tab, lineFeed, carriageReturn, space, colon, zero] = [0x09, 0x0a, 0x0d, 0x20, 0x3a, 0x30];

const isTokenByte = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789") isTokenByte[character.charCodeAt(0)] = 1;
for (let letter = 0x41; letter <= 0x5a; letter++) isTokenByte[letter] = isTokenByte[letter | 0x20] = 1;
/** A tab, and what is neither a control character nor DEL. */
const isValueByte = new Uint8Array(256).fill(1, 0x20);
isValueByte[0x7f] = 0;
isValueByte[tab] = 1;

const version = Buffer.from('HTTP/1.');
/** `HTTP/1.1 200`, and one byte more. */
const minStatusLineLength = 13;
const maxLength = Number.MAX_SAFE_INTEGER;

/** The members of a head that decide how the response is read. */
export class ResponseHead {
  status = 0;
  isComplete = false;
  /** -1 if there is none. */
  contentLength = -1;
  hasTransferEncoding = false;
  isChunked = false;
  isGzip = false;
  /** Whether the server leaves the connection open. `close` has precedence over `keep-alive`. */
  keepsAlive = true;
  #isClosing = false;
  /** How long it does so while nothing is sent; undefined if it does not say. */
  keepAliveSeconds: number | undefined;

  reset(): void {
    this.status = 0;
    this.isComplete = this.hasTransferEncoding = this.isChunked = this.isGzip = false;
    this.contentLength = -1;
    this.keepsAlive = true;
    this.#isClosing = false;
    this.keepAliveSeconds = undefined;
  }

  /** Returns the offset after the line, or a negative result. The reason phrase is ignored. */
  readStatusLine(bytes: Buffer, start: number, end: number): number {
    for (let at = 0; at < version.length && start + at < end; at++)
      if (bytes[start + at] !== version[at]) return malformed;
    if (end - start < minStatusLineLength) return incomplete;
    const minor = bytes[start + 7]! - zero;
    const status = readDigits(bytes, start + 9, start + 12);
    if ((minor !== 0 && minor !== 1) || bytes[start + 8] !== space || status < 100) return malformed;
    let at = start + 12;
    if (bytes[at] === space) while (at < end && bytes[at] !== carriageReturn && bytes[at] !== lineFeed) at++;
    this.status = status;
    this.keepsAlive = minor === 1;
    return endOfLine(bytes, at, end);
  }

  /** One header line, or the empty line that completes the head. */
  readHeaderLine(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && isTokenByte[bytes[at]!] === 1) at++;
    if (at === end) return incomplete;
    if (at === start) {
      const next = endOfLine(bytes, at, end);
      this.isComplete = next >= 0;
      return next;
    }
    const nameEnd = at;
    if (bytes[at++] !== colon) return malformed;
    while (at < end && isBlank(bytes[at]!)) at++;
    const valueStart = at;
    while (at < end && isValueByte[bytes[at]!] === 1) at++;
    const next = endOfLine(bytes, at, end);
    if (next < 0) return next;
    while (at > valueStart && isBlank(bytes[at - 1]!)) at--;
    return this.#readHeader(bytes, start, nameEnd, valueStart, at) ? next : malformed;
  }

  /** False if the header makes the length of the response ambiguous. */
  #readHeader(bytes: Buffer, start: number, nameEnd: number, valueStart: number, end: number): boolean {
    switch (nameEnd - start) {
      case 10:
        if (isName(bytes, start, 'connection')) this.#readConnection(bytes.toString('latin1', valueStart, end));
        else if (isName(bytes, start, 'keep-alive')) this.#readKeepAlive(bytes.toString('latin1', valueStart, end));
        return true;
      case 14:
        return !isName(bytes, start, 'content-length') || this.#readContentLength(bytes, valueStart, end);
      case 16:
        if (isName(bytes, start, 'content-encoding'))
          this.isGzip = /^(x-)?gzip$/i.test(bytes.toString('latin1', valueStart, end));
        return true;
      case 17:
        if (!isName(bytes, start, 'transfer-encoding')) return true;
        this.isChunked = !this.hasTransferEncoding && /^chunked$/i.test(bytes.toString('latin1', valueStart, end));
        this.hasTransferEncoding = true;
        return this.isChunked;
      default:
        return true;
    }
  }

  #readContentLength(bytes: Buffer, start: number, end: number): boolean {
    if (this.contentLength !== -1 || start === end) return false;
    this.contentLength = readDigits(bytes, start, end);
    return this.contentLength !== -1;
  }

  #readConnection(value: string): void {
    for (const option of value.toLowerCase().split(',')) {
      const name = option.trim();
      if (name === 'close') this.#isClosing = true;
      else if (name === 'keep-alive') this.keepsAlive = true;
    }
    if (this.#isClosing) this.keepsAlive = false;
  }

  #readKeepAlive(value: string): void {
    const seconds = /timeout=(\d{1,9})/i.exec(value)?.[1];
    if (seconds !== undefined) this.keepAliveSeconds = Number(seconds);
  }
}

const isBlank = (byte: number): boolean => byte === space || byte === tab;

/** The offset after CR LF. */
function endOfLine(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return incomplete;
  if (bytes[at] !== carriageReturn) return malformed;
  if (at + 1 >= end) return incomplete;
  return bytes[at + 1] === lineFeed ? at + 2 : malformed;
}

/** -1 if something else is among them or the number is too large. */
function readDigits(bytes: Buffer, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - zero;
    if (digit < 0 || digit > 9 || number > maxLength / 10 - 1) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** The name has as many bytes as `name` and all of them are of a token, so that no other byte equals a letter or `-` in lower case. */
function isName(bytes: Buffer, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) if ((bytes[start + at]! | 0x20) !== name.charCodeAt(at)) return false;
  return true;
}
