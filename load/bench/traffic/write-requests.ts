/** Writes every request of a run ready for the wire, so that wrk has nothing left to do but send it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchRequest } from './bid-request.ts';
import { addressAt, crowd, publisherAt } from './crowd.ts';

export interface Requests {
  file: string;
  /** The first one's body. */
  sample: string;
}

export function writeRequests(folder: string): Requests {
  const file = join(folder, 'requests');
  const bodies = Array.from({ length: crowd.addresses }, (_, i) => JSON.stringify(benchRequest(i, publisherAt(i))));
  const texts = bodies.map((body, i) => toHttp(body, addressAt(i)));
  writeFileSync(file, texts.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''));
  return { file, sample: bodies[0]! };
}

const toHttp = (body: string, address: string): string =>
  [
    'POST /openrtb2 HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
