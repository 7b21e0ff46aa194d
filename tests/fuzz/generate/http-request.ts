/** Random HTTP requests as bytes: odd targets, versions, headers and body framing, whole or broken anywhere. */
import { mutateBytes } from './mutate-bytes.ts';
import type { Random } from './random.ts';
import { anyText, specialText } from './text.ts';

const json = JSON.stringify({
  id: '1',
  imp: [{ id: '1', native: { request: '{"assets":[{"id":1,"required":1,"title":{"len":90}}]}' } }],
});

const methods = [
  'POST',
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'CONNECT',
  'TRACE',
  'PATCH',
  'PROPFIND',
  'QUERY',
  'PRI',
];
const targets = [
  '/',
  '/openrtb2/',
  '/OpenRTB2',
  '/openrtb2?x=%',
  '/openrtb2#x',
  '//openrtb2',
  '/%6fpenrtb2',
  '/%',
  '/%00',
  '/..',
  '*',
  'http://%@x/openrtb2',
  'a://%%@$',
  'http://gavel.test/openrtb2',
  'http://[bad',
  'x',
  '?',
  '#',
  ':80',
  'a:b',
  'gavel.test:443',
  'http:',
  'http://',
  'http://a:b@c:99999/',
  '/\\openrtb2',
  '/openrtb2;x',
  '/[',
  'javascript:x',
];
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1', 'HTTP/11.1', 'http/1.1', 'ICE/1.0', ''];
const headerLines = [
  'Host: other.test',
  'Host:',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: upgrade',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: foo',
  'Expect:',
  'Content-Type: text/plain',
  'Content-Type: application/json;',
  'Content-Type: application/json; charset=utf-16',
  'Content-Encoding: gzip',
  'Content-Encoding: br, gzip',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Content-Length: 5',
  'Content-Length: +1',
  'Content-Length: 1e3',
  'Content-Length: 99999999999999999999',
  'X-Forwarded-For: 203.0.113.9, ::1, x',
  'TE: trailers',
  'X-Forwarded-For: ::ffff:192.0.2.1',
  'X-Request-Id: mine',
  'Cookie: a=b',
  ': x',
  'Name',
  'A b: c',
  'A:\x01',
  ' folded',
];

/** A piece of a request that can be replaced, and mutated requests as splices. */
export const httpCorpus = [
  `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  'GET / HTTP/1.1\r\nHost: gavel.test\r\n\r\n',
  'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n0\r\n\r\n',
].map((text) => Buffer.from(text, 'latin1'));

const maxBytes = 300 * 1024;

export function httpBytes(random: Random): Buffer {
  const requests = Array.from({ length: random.chance(0.85) ? 1 : random.between(2, 6) }, () => request(random));
  const bytes = Buffer.from(requests.join(''), 'latin1');
  return random.chance(0.75) ? bytes.subarray(0, maxBytes) : mutateBytes(random, bytes, httpCorpus, maxBytes);
}

function request(random: Random): string {
  const method = random.chance(0.7) ? 'POST' : random.pick(methods);
  const version = random.chance(0.9) ? 'HTTP/1.1' : random.pick(versions);
  const lines = ['Host: gavel.test'];
  if (random.chance(0.9)) lines.push('Content-Type: application/json');
  for (let left = random.chance(0.5) ? 0 : random.length(4); left > 0; left--) lines.push(headerLine(random));
  const [framing, body] = framedBody(random);
  lines.push(...framing);
  return `${method} ${requestTarget(random)} ${version}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function requestTarget(random: Random): string {
  if (random.chance(0.6)) return '/openrtb2';
  if (random.chance(0.6)) return random.pick(targets);
  return `${random.pick(['', '/', 'http://', 'a:', '*'])}${specialText(random)}${anyText(random, random.chance(0.95) ? 60 : 20_000)}`;
}

function headerLine(random: Random): string {
  if (random.chance(0.8)) return random.pick(headerLines);
  return `${anyText(random, 30)}: ${anyText(random, random.chance(0.9) ? 100 : 20_000)}`;
}

/** Header lines, and the body as they frame it or not. */
function framedBody(random: Random): [lines: string[], body: string] {
  switch (random.below(6)) {
    case 0:
      return [[], random.chance(0.8) ? '' : json];
    case 1:
      return [['Transfer-Encoding: chunked'], chunked(random)];
    case 2:
      return [[`Content-Length: ${json.length + random.between(-5, 5)}`], json];
    case 3:
      return [[`Content-Length: ${json.length}`, random.pick(headerLines)], json];
    default:
      return [[`Content-Length: ${json.length}`], json];
  }
}

const chunkSizes = ['', '-1', '0x5', '5 ', 'fffffffffffffffff', '80000000', 'g', '05', '5;a=b', '5;a="\0"', '1_0'];

/** Chunks of any size: one byte each, wrong sizes, extensions, trailers, no last chunk. */
function chunked(random: Random): string {
  const size = random.pick([1, 1, 2, 16, 40, json.length]);
  const content = random.chance(0.95) ? json : json.padEnd(random.length(45_000));
  let body = '';
  for (let at = 0; at < content.length; at += size) {
    const piece = content.slice(at, at + size);
    const written = random.chance(0.998) ? piece.length.toString(16) : random.pick(chunkSizes);
    body += `${written}\r\n${piece}\r\n`;
  }
  if (random.chance(0.1)) return body;
  return `${body}0\r\n${random.chance(0.1) ? `${headerLine(random)}\r\n` : ''}\r\n`;
}
