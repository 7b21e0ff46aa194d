/** Cases for what is around the fields: the body as bytes, its encoding and framing, and the head of the request. */
import { gzipSync } from 'node:zlib';
import { maxGzippedBytes } from '../../src/gzip/gunzip.ts';
import type { AuditCase } from './audit-case.ts';
import { httpRequest, type MessageOptions } from './messages.ts';
import { maxRequestBytes } from './request-cases.ts';
import { sampleRequests } from './samples.ts';
import { seedMark } from './seeded.ts';
import { plainRequestBody } from './plain.ts';
import { emptyDynamicBlocks, emptyFullBlocks } from './values/gzip-blocks.ts';
import { pumpedTexts } from './values/pumped-texts.ts';
import { distinct, repeated } from './values/worst-value.ts';

const fullBody = plainRequestBody(maxRequestBytes);
const smallBody = JSON.stringify(sampleRequests[0]);

const withSeed = (text: string, seed: string): string => text.replaceAll(seedMark, seed);

/** `bytes` is the size of the plain request to compare with. */
const request = (part: string, value: string, bytes: number, write: (seed: string) => Buffer): AuditCase => ({
  part,
  value,
  sizes: { request: bytes, bids: undefined, products: undefined },
  prepare: () => (seed) => ({ request: write(seed) }),
});

const body = (value: string, write: (seed: string) => string | Buffer, options: MessageOptions = {}): AuditCase =>
  request(`body: ${value}`, 'as the part says', maxRequestBytes, (seed) => httpRequest(write(seed), options));

const invalidUtf8 = (seed: string): Buffer => {
  const bytes = Buffer.from(withSeed(fullBody, seed));
  bytes[bytes.length - 2] = 0xff;
  return bytes;
};

const bodies: AuditCase[] = [
  body('JSON that ends too early', (seed) => withSeed(fullBody, seed).slice(0, -1)),
  body('JSON with an error at its end', (seed) => `${withSeed(fullBody, seed).slice(0, -1)}!`),
  body('escaped JSON with an error at its end', (seed) => `["${seed}${String.raw`\u0041`.repeat(43_000)}",!]`),
  body('numbers with an error at their end', () => `[${'1,'.repeat(131_000)}!]`),
  body('open lists only', () => '['.repeat(maxRequestBytes)),
  body('open objects only', () => '{"":'.repeat(maxRequestBytes / 4)),
  body('a list nested to the end', () => '['.repeat(maxRequestBytes / 2) + ']'.repeat(maxRequestBytes / 2)),
  body('an open text', (seed) => `"${seed}${'a'.repeat(maxRequestBytes - 10)}`),
  body('backslashes only', () => `"${'\\'.repeat(maxRequestBytes - 1)}`),
  body('white space, then an object', () => `${' '.repeat(maxRequestBytes - 2)}{}`),
  body('line breaks, then an error', () => `${'\n'.repeat(maxRequestBytes - 2)}!`),
  body('byte order mark', (seed) => `\ufeff${withSeed(fullBody, seed).slice(0, -3)}`),
  body('invalid UTF-8 at its end', invalidUtf8),
  body('invalid UTF-8 everywhere', () => Buffer.alloc(maxRequestBytes, 0xff)),
  body('continuation bytes only', () => Buffer.concat([Buffer.from('"'), Buffer.alloc(maxRequestBytes - 1, 0x80)])),
  ...pumpedTexts.map(({ name, write }) => body(name, (seed) => write(maxRequestBytes, seed))),
  body('larger than allowed', (seed) => `${withSeed(fullBody, seed)} `.repeat(2)),
];

const gzip = (value: string, write: (seed: string) => Buffer): AuditCase =>
  request(`body, gzip: ${value}`, 'as the part says', maxRequestBytes, (seed) =>
    httpRequest(write(seed), { headers: [['Content-Encoding', 'gzip']] }),
  );

const emptyMember = gzipSync('');
/** A stored block without content, not the last one of its stream. */
const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);
const gzipHead = gzipSync('').subarray(0, 10);

const gzips: AuditCase[] = [
  gzip('a plain body', (seed) => gzipSync(withSeed(fullBody, seed))),
  gzip('a plain body, not compressed', (seed) => gzipSync(withSeed(fullBody, seed), { level: 0 })),
  gzip('zeros', () => gzipSync(Buffer.alloc(maxRequestBytes))),
  gzip('more than is allowed after decompression', () => gzipSync(Buffer.alloc(8_000_000))),
  gzip('empty members', () => Buffer.concat(Array<Buffer>(13_000).fill(emptyMember))),
  gzip('empty blocks', () => Buffer.concat([gzipHead, ...Array<Buffer>(52_000).fill(emptyBlock)])),
  gzip('empty blocks with a code of their own', () => emptyDynamicBlocks(maxGzippedBytes)),
  gzip('empty blocks with all codes', () => emptyFullBlocks(maxGzippedBytes)),
  gzip('cut off', (seed) => gzipSync(withSeed(fullBody, seed), { level: 0 }).subarray(0, -9)),
  gzip('not gzip', () => Buffer.alloc(maxRequestBytes, 0x1f)),
];

const chunked = (chunkBytes: number): AuditCase =>
  body(`in chunks of ${chunkBytes} bytes`, (seed) => withSeed(fullBody, seed), { chunkBytes });

/** Node.js allows 16 KiB of headers. */
const headBytes = 15_000;

/** Only ASCII characters in the head: the target and the values of headers. */
const head = (value: string, options: (seed: string) => MessageOptions, content = smallBody): AuditCase =>
  request(`HTTP head: ${value}`, 'as the part says', smallBody.length + headBytes, (seed) =>
    httpRequest(content, options(seed)),
  );

const header = (name: string, value: (seed: string) => string, title = `${name}, long`): AuditCase =>
  head(title, (seed) => ({ headers: [[name, value(seed)]] }));

const encodedIdeograph = (index: number): string => encodeURIComponent(String.fromCharCode(0x4e00 + index));

const heads: AuditCase[] = [
  header('X-Unknown', (seed) => seed + 'a'.repeat(headBytes), 'one long header'),
  head('many headers', (seed) => ({
    headers: Array.from({ length: 1_500 }, (_, index) => [`h${index}`, seed.slice(0, 1)] as const),
  })),
  head('the same header', () => ({ headers: Array.from({ length: 1_500 }, () => ['cookie', 'a=b'] as const) })),
  head('many X-Forwarded-For headers', () => ({
    headers: Array.from({ length: 600 }, () => ['x-forwarded-for', '::1'] as const),
  })),
  header('X-Forwarded-For', () => repeated(headBytes, '127.0.0.1,'), 'X-Forwarded-For, trusted addresses'),
  header('X-Forwarded-For', () => repeated(headBytes, '::1,'), 'X-Forwarded-For, trusted IPv6 addresses'),
  header('X-Forwarded-For', () => repeated(headBytes, ','), 'X-Forwarded-For, commas'),
  header('X-Forwarded-For', (seed) => distinct(headBytes, (i) => `${seed}${i}`, ','), 'X-Forwarded-For, no addresses'),
  header('X-Forwarded-For', () => '1'.repeat(headBytes), 'X-Forwarded-For, one long address'),
  header('X-Forwarded-For', () => `${'0:'.repeat(headBytes / 2)}%`, 'X-Forwarded-For, one long IPv6 address'),
  header('Content-Encoding', (seed) => seed + 'a'.repeat(headBytes)),
  header('Expect', (seed) => seed + 'a'.repeat(headBytes)),
  header('X-Request-Id', (seed) => seed + 'a'.repeat(headBytes)),
  header(
    'Content-Type',
    () => `application/json${repeated(headBytes, ';a=b')}`,
    'Content-Type, second, many parameters',
  ),
  head('target with a long query', (seed) => ({ target: `/openrtb2?${seed}${repeated(headBytes, '&a=b')}` })),
  head('target of slashes', () => ({ target: '/'.repeat(headBytes) })),
  head('target of encoded characters', () => ({ target: `/${repeated(headBytes, '%2e')}` })),
  head('target of malformed encodings', () => ({ target: `/${repeated(headBytes, '%')}` })),
  head('target of parent segments', () => ({ target: repeated(headBytes, '/..') })),
  head('absolute target, host of distinct non-ASCII characters', (seed) => ({
    target: `http://${seed}${distinct(headBytes, encodedIdeograph)}/openrtb2`,
  })),
  head('absolute target, many @', (seed) => ({ target: `http://${seed}${repeated(headBytes, 'a@')}x/openrtb2` })),
  head('absolute target, many labels', (seed) => ({ target: `http://${seed}${repeated(headBytes, '.a')}/openrtb2` })),
];

const contentTypes = [
  `application/json${repeated(headBytes, ';a=b')}`,
  `application/json;a="${'\\\\'.repeat(headBytes / 2)}"`,
  `application/json${repeated(headBytes, ' ;')}`,
  `application/json; charset=${'u'.repeat(headBytes)}`,
].map((type) =>
  request(`HTTP head: Content-Type ${type.slice(16, 22)}…`, 'as the part says', smallBody.length + headBytes, () =>
    Buffer.from(
      `POST /openrtb2 HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(smallBody)}\r\n\r\n${smallBody}`,
    ),
  ),
);

export const transportCases: readonly AuditCase[] = [
  ...bodies,
  ...gzips,
  ...[1, 2, 16, 64, 1024].map(chunked),
  ...heads,
  ...contentTypes,
];
