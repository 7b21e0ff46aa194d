/** Sends the request of a case unchanged and reads the raw response. */
import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { type CaseRequest, expand } from './case-file.ts';
import { type RawResponse, sendRaw } from './send-raw.ts';

export async function sendCase(server: Server, one: CaseRequest): Promise<RawResponse> {
  const { method = 'POST', path = '/openrtb2', rawHttp, stallAfter } = one;
  if (rawHttp !== undefined) return sendRaw(server, expand(rawHttp) as string);
  const body = encodeBody(one);
  const headers = headersOf(one, body);
  if (stallAfter !== undefined) {
    const lines = Object.entries({ ...headers, host: 'gavel.test', 'content-length': String(body!.length) });
    const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
      '\r\n',
    );
    return sendRaw(server, head + body!.toString().slice(0, stallAfter));
  }
  const agent = request(server);
  const verb = method.toLowerCase() as 'post';
  const call = agent[verb](path).serialize((bytes) => bytes);
  for (const [name, value] of Object.entries(headers)) call.set(name, value);
  if (body) call.send(body);
  const response = await call.buffer(true).parse((stream, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => done(null, Buffer.concat(chunks).toString()));
  });
  const text = typeof response.body === 'string' ? response.body : '';
  return { status: response.status, headers: response.headers, text };
}

function headersOf({ headers }: CaseRequest, body: Buffer | undefined): Record<string, string> {
  const defaults = body ? { 'content-type': 'application/json' } : {};
  const all = Object.entries({ ...defaults, ...headers });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

export function encodeBody({ body, rawBody, rawBodyBase64, padTo, gzip }: CaseRequest): Buffer | undefined {
  let bytes: Buffer;
  if (rawBodyBase64 !== undefined) bytes = Buffer.from(rawBodyBase64, 'base64');
  else if (rawBody !== undefined) bytes = Buffer.from(expand(rawBody) as string);
  else if (body !== undefined) bytes = Buffer.from(JSON.stringify(expand(body)));
  else return undefined;
  if (padTo !== undefined) bytes = Buffer.concat([bytes, Buffer.alloc(padTo - bytes.length, ' ')]);
  return gzip ? gzipSync(bytes) : bytes;
}
