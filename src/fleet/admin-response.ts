/** What the handlers of the admin server return, and how it is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface AdminResponse {
  status: number;
  /** An object is sent as JSON, a string in the Prometheus text format unless `headers` say otherwise, bytes as they are. */
  body: object | string | Buffer;
  headers?: Record<string, string>;
}

/** A response that stays open. */
export interface AdminStream {
  headers: Record<string, string>;
  /** Called once the head is written. */
  open: (response: ServerResponse) => void;
}

export const textResponse = (status: number, text: string, headers: Record<string, string> = {}): AdminResponse => ({
  status,
  body: `${text}\n`,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
});

const withoutContent = new Set([204, 304]);

/** A client that has not read the response after `writeMs` is cut off. */
export function send(response: ServerResponse, { status, body, headers }: AdminResponse, writeMs: number): void {
  const bytes = encode(body);
  const content = {
    'Content-Type': typeof body === 'string' ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(bytes),
  };
  response.writeHead(status, {
    ...(!withoutContent.has(status) && content),
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(bytes);
  const timer = setTimeout(() => response.req.socket.destroy(), writeMs).unref();
  response.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

export function openStream(response: ServerResponse, { headers, open }: AdminStream): void {
  response.writeHead(200, { 'Cache-Control': 'no-store', ...headers });
  if (response.req.method === 'HEAD') response.end();
  else open(response);
}

function encode(body: AdminResponse['body']): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : `${JSON.stringify(body)}\n`;
}

/** Chunked bodies are rejected before. */
export const hasBody = ({ headers }: IncomingMessage): boolean => (headers['content-length'] ?? '0') !== '0';

/** The rest of the request is not read: it may be endless. */
export function closeAfter(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  response.once('finish', () => response.req.socket.destroy());
}
