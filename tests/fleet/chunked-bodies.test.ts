/** The admin server rejects chunked bodies at their headers, and parses none of their chunks. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createAdminServer } from '../../src/fleet/admin-server.ts';
import { listen } from '../../src/fleet/listen.ts';
import { sendRaw } from '../support/send-raw.ts';

/** HTTPParser.kOnBody: called for every chunk. */
const kOnBody = 3;

let server: Server;
let restoreParsers: (() => void)[];
let reported: number;
beforeEach(async () => {
  const echo = (_request: IncomingMessage, body: Buffer) => ({ status: 200, body: { body: body.toString() } });
  const timeouts = { headersMs: 60_000, requestMs: 60_000, writeMs: 60_000 };
  const routes = { '/healthz': () => ({ status: 200, body: {} }), '/body': { maxBodyBytes: 9, handle: echo } };
  server = createAdminServer(routes, timeouts);
  restoreParsers = [];
  reported = 0;
  server.on('connection', ({ parser }: Socket & { parser: Record<number, (chunk: Buffer) => unknown> }) => {
    const report = parser[kOnBody]!;
    parser[kOnBody] = function count(chunk) {
      reported++;
      return report.call(this, chunk);
    };
    restoreParsers.push(() => (parser[kOnBody] = report)); // node:http reuses parsers
  });
  await listen(server, { port: 0, host: '127.0.0.1', variable: 'ADMIN_PORT' });
});
afterEach(() => {
  for (const restore of restoreParsers) restore();
  server.closeAllConnections();
  server.close();
});

const chunks = '1\r\na\r\n'.repeat(20_000);
const chunked = 'Transfer-Encoding: chunked\r\n';

test.each([
  ['to a path that reads bodies', `GET /body HTTP/1.1\r\nHost: a\r\n${chunked}`],
  ['to a path that reads none', `GET /healthz HTTP/1.1\r\nHost: a\r\n${chunked}`],
  ['with a method that is not allowed', `POST /healthz HTTP/1.1\r\nHost: a\r\n${chunked}`],
  ['that waits for 100 Continue', `POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n${chunked}`],
  ['with another expectation', `POST /body HTTP/1.1\r\nHost: a\r\nExpect: much\r\n${chunked}`],
  ['without Host', `POST /body HTTP/1.1\r\n${chunked}`],
  ['with an upgrade', `POST /body HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: b\r\n${chunked}`],
  ['announced behind 3,000 other headers', `POST /body HTTP/1.1\r\nHost: a\r\n${'X:\r\n'.repeat(3_000)}${chunked}`],
  ['of another transfer coding', 'POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n'],
])('a chunked body %s: 411, and the connection closes', async (_name, head) => {
  const { status, headers, text } = await sendRaw(server, `${head}\r\n${chunks}`);
  expect([status, headers.connection]).toEqual([411, 'close']);
  expect(JSON.parse(text)).toEqual({ error: 'the request must have a Content-Length instead of a Transfer-Encoding' });
  expect(reported).toBe(0);
});

test('the response to HEAD has no body', async () => {
  const { status, text } = await sendRaw(server, `HEAD /healthz HTTP/1.1\r\nHost: a\r\n${chunked}\r\n${chunks}`);
  expect([status, text]).toEqual([411, '']);
});

test('behind a request that has no response yet, a chunked body ends the connection', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const first = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  socket.resume().write(`${first}POST /body HTTP/1.1\r\nHost: a\r\n${chunked}\r\n${chunks}`);
  await new Promise((resolve) => socket.once('close', resolve)); // also after a reset
  expect(reported).toBe(0);
});

test('a body with a Content-Length is read', async () => {
  const head = 'GET /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n';
  expect(await sendRaw(server, `${head}ok`)).toMatchObject({ status: 200, text: '{"body":"ok"}\n' });
  expect(reported).toBe(1);
});
