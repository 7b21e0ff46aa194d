/** Generates HTTP/1.1 responses as bytes: well-formed ones with every kind of framing, and ones that servers should not send. */
import { gzipSync } from 'node:zlib';
import { mutateBytes } from './mutate-bytes.ts';
import type { Random } from './random.ts';

const bodies = ['{}', '{"id":"1"}', '', '{"a":"é"}', '[1,2,3]\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'];
const statuses = [
  '200 OK',
  '200',
  '200 ',
  '204 No Content',
  '304 Not Modified',
  '404 Not Found',
  '500 Error',
  '302 Found',
];
const informational = ['100 Continue', '103 Early Hints', '102 Processing', '101 Switching Protocols', '199 x'];
const plainHeaders = [
  'date: Mon, 16 Nov 2026 00:00:00 GMT',
  'Content-Type: application/json',
  'server:nginx',
  'x-empty:',
  'x-blank: \t ',
  'keep-alive: timeout=5',
  'Connection: keep-alive',
  'connection: close',
  'connection: Close, x',
  'set-cookie: a=b; Path=/',
  'x-latin: \xe9',
];
const oddHeaders = [
  'content-length: 2',
  'Content-Length: 2, 2',
  'content-length: +2',
  'content-length: 0x2',
  'content-length: ',
  'content-length : 2',
  'content-length: 18446744073709551616',
  'transfer-encoding: chunked',
  'Transfer-Encoding: Chunked',
  'transfer-encoding: chunked, chunked',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding: identity',
  'transfer-encoding: chunked\r\n ',
  'a b: c',
  ': no name',
  'no colon',
  'x: a\r\n folded',
  'x: a\0b',
  'x: a\rb',
  'x: a\nb: c',
  'upgrade: websocket',
  'connection: upgrade',
  'content-encoding: gzip',
  ' leading: blank',
];
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'http/1.1', 'HTTP/1', 'HTTP/1.1 ', 'ICY'];
const extensions = [';a', ';a=b', ';a="b;c"', ';a="\\""', '; a', ';', ';a=', ';a;b=c', ' ', ' ;a', ';a\0'];
const trailers = ['x: y', 'content-length: 5', 'transfer-encoding: chunked', 'a b: c', 'x:'];

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const oneOf = (random: Random, ordinary: string, odd: readonly string[], share: number): string =>
  random.chance(share) ? random.pick(odd) : ordinary;

function chunked(random: Random, body: string): string {
  let text = '';
  for (let at = 0; at < body.length;) {
    const size = random.between(1, body.length - at);
    const digits = random.chance(0.1) ? `00${size.toString(16).toUpperCase()}` : size.toString(16);
    text += `${digits}${oneOf(random, '', extensions, 0.1)}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  const last = random.chance(0.3) ? `${random.pick(trailers)}\r\n` : '';
  return `${text}0${oneOf(random, '', extensions, 0.1)}\r\n${last}\r\n`;
}

function response(random: Random): string {
  const body = random.chance(0.1) ? gzipSync('{}').toString('latin1') : random.pick(bodies);
  const headers = Array.from({ length: random.below(4) }, () =>
    oneOf(random, random.pick(plainHeaders), oddHeaders, 0.15),
  );
  const framing = random.below(3);
  if (framing === 0) headers.push(`content-length: ${body.length}`);
  if (framing === 1) headers.push('Transfer-Encoding: chunked');
  const start = `${oneOf(random, 'HTTP/1.1', versions, 0.1)} ${random.chance(0.8) ? '200 OK' : random.pick(statuses)}`;
  if (random.chance(0.06)) headers.push(`x: ${'y'.repeat(random.between(10_000, 20_000))}`);
  const end = random.chance(0.03) ? '\n' : '\r\n';
  const content = framing === 1 ? chunked(random, body) : body;
  return [start, ...headers].map((line) => `${line}${end}`).join('') + end + content;
}

function responses(random: Random): Buffer {
  let text = random.chance(0.05) ? '\r\n' : '';
  while (random.chance(0.1)) text += `HTTP/1.1 ${random.pick(informational)}\r\n${random.pick(plainHeaders)}\r\n\r\n`;
  text += response(random);
  if (random.chance(0.05)) text += response(random);
  return latin1(text);
}

const maxBytes = 100_000;

/** Half of them are mutated. */
export function httpResponse(random: Random): Buffer {
  const bytes = responses(random);
  return random.chance(0.5) ? bytes : mutateBytes(random, bytes, [responses(random)], maxBytes);
}
