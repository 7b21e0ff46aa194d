/** HTTP messages as bytes, so that the audit can send what an HTTP client would not. */

/** What one measurement sends: a request to the exchange, and the responses of its two remote partners. */
export interface Messages {
  request: Buffer;
  /** The ordinary response if undefined. */
  bids?: Buffer | undefined;
  products?: Buffer | undefined;
}

/** Content bytes of each message, after decompression. */
export interface Sizes {
  request: number;
  bids: number | undefined;
  products: number | undefined;
  /** Whether the request makes several calls to each product partner. */
  hasSeveralCalls?: boolean;
}

type Headers = readonly (readonly [string, string])[];

const jsonType = ['Content-Type', 'application/json'] as const;

const message = (start: string, headers: Headers, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${start}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`),
    body,
  ]);

export interface MessageOptions {
  headers?: Headers;
  /** The request target. */
  target?: string;
  /** Sends the body in chunks of this many bytes. */
  chunkBytes?: number | undefined;
}

export const httpRequest = (body: string | Buffer, options: MessageOptions = {}): Buffer =>
  withBody(`POST ${options.target ?? '/openrtb2'} HTTP/1.1`, [['Host', 'audit.example'], jsonType], body, options);

export const httpResponse = (body: string | Buffer, options: MessageOptions = {}): Buffer =>
  withBody('HTTP/1.1 200 OK', [jsonType], body, options);

function withBody(start: string, first: Headers, body: string | Buffer, options: MessageOptions): Buffer {
  const { headers = [], chunkBytes } = options;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (chunkBytes === undefined) {
    return message(start, [...first, ...headers, ['Content-Length', String(bytes.length)]], bytes);
  }
  return message(start, [...first, ...headers, ['Transfer-Encoding', 'chunked']], inChunks(bytes, chunkBytes));
}

function inChunks(body: Buffer, chunkBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
