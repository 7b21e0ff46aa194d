/** Reads a body by hand: the least that a server of JSON can do. */
import type { IncomingMessage } from 'node:http';

export function readJson(request: IncomingMessage, done: (value: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done(JSON.parse(Buffer.concat(chunks).toString())));
}
