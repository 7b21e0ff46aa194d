/** The memory of a large body is freed when the body has been parsed or dropped, whatever the response. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { startExchange } from '../support/run-case.ts';
import { until } from '../support/until.ts';

const cleanUp: (() => void)[] = [];
let chunks: Buffer[];

afterEach(() => cleanUp.splice(0).forEach((run) => run()));

const head = (headers: string) =>
  `POST /openrtb2 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
const body = JSON.stringify({ id: 'a', ext: 'x'.repeat(200_000) });
const gzipped = gzipSync(JSON.stringify({ id: 'a', ext: Array.from({ length: 15_000 }, (_, at) => at * 7_919) }));
const half = body.slice(0, 100_000);

async function send(bytes: string | Buffer) {
  const { server } = await startExchange({});
  chunks = [];
  server.on('request', (request) => request.on('data', (chunk: Buffer) => chunks.push(chunk)));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  cleanUp.push(
    () => socket.destroy(),
    () => server.close(),
  );
  socket.on('error', () => {}).write(bytes);
  return socket;
}

const isFreed = () => chunks.every(({ length }) => length < 4_096);

test.each([
  ['parsed', head(`Content-Length: ${body.length}`) + body],
  ['in chunks', `${head('Transfer-Encoding: chunked')}186a0\r\n${half}\r\n186a0\r\n${half}\r\n0\r\n\r\n`],
  ['not UTF-8', Buffer.concat([Buffer.from(head('Content-Length: 100000')), Buffer.alloc(100_000, 0xff)])],
  [
    'gzipped',
    Buffer.concat([Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: ${gzipped.length}`)), gzipped]),
  ],
])('of a body that is %s', async (_, bytes) => {
  await once(await send(bytes), 'data');
  expect(chunks.length).toBeGreaterThan(0);
  expect(isFreed()).toBe(true);
});

test('of a body whose client leaves', async () => {
  const socket = await send(head('Content-Length: 200000') + half);
  await until('the half has arrived', () => chunks.reduce((sum, { length }) => sum + length, 0) === half.length);
  expect(isFreed()).toBe(false);
  socket.destroy();
  await until('it is freed', isFreed);
});
