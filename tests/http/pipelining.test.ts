/** Requests on one connection that arrive before the responses to earlier ones: every response is in its place. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

const body = JSON.stringify(fullRequest);
const post = `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const get = 'GET /nothing HTTP/1.1\r\nHost: gavel.test\r\n\r\n';
const connectRequest = 'CONNECT gavel.test:443 HTTP/1.1\r\nHost: gavel.test\r\n\r\n';
const chunkedHead =
  'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const tinyChunks = `${chunkedHead}${'1\r\n \r\n'.repeat(200)}0\r\n\r\n`;
const brokenChunk = `${chunkedHead}zz\r\n`;
const bid: Outcome = { kind: 'bid', response: { id: 'r1', seatbid: [], cur: 'USD' } };

let exchange: TestExchange;
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

const connectTo = ({ server }: TestExchange): Socket =>
  connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});

/** The statuses that a client gets for pipelined requests; the first auction ends when all other requests are known. */
async function statusesOf(bytes: string): Promise<string[]> {
  let endAuction = () => {};
  const auction = new Promise<void>((resolve) => (endAuction = resolve));
  exchange = await startExchange({}, { handleBidRequest: () => auction.then(() => bid) });
  const socket = connectTo(exchange);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(bytes);
  await once(exchange.server, 'request');
  endAuction();
  await once(socket, 'close');
  return received.match(/(?<=HTTP\/1.1 )\d+/g) ?? [];
}

test.each([
  ['CONNECT', post + connectRequest, ['200', '405']],
  ['CONNECT after a request that already has its response', post + get + connectRequest, ['200', '404', '405']],
  ['a body with a broken chunk', post + brokenChunk, ['200', '400']],
  ['bytes that are not HTTP', `${post}${get}how do you do?\r\n\r\n`, ['200', '404', '400']],
  ['a body in tiny chunks', post + tinyChunks, ['200', '400']],
])('%s is responded to after the auction of the first request', async (_what, bytes, statuses) => {
  expect(await statusesOf(bytes)).toEqual(statuses);
  expect(exchange.defects).toEqual([]);
});

test('bodies of other connections arrive whole after tiny chunks and CONNECT on one connection', async () => {
  await statusesOf(post + tinyChunks + connectRequest);
  for (let client = 0; client < 5; client++) {
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 });
  }
});

test('a client that is over its limit and sends tiny chunks is disconnected after its 429', async () => {
  const rejected = { admitted: false, scope: 'ip', limit: 1, remaining: 0, resetAtMs: 0 } as const;
  const limiter = { cachedRejection: () => undefined, decide: () => Promise.resolve(rejected) };
  exchange = await startExchange({}, { limiter });
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(tinyChunks + post);
  await once(socket, 'close');
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 429']);
});

test('a head that is too large is charged once, however many segments it arrives in', async () => {
  exchange = await startExchange();
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.resume().write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(200_000)}`);
  await once(socket, 'close');
  expect(exchange.rejected).toEqual(['http.headersTooLarge']);
});

test('a connection has one auction at a time, however many requests are pipelined', async () => {
  let running = 0;
  let most = 0;
  const handleBidRequest = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return bid;
  };
  exchange = await startExchange({}, { handleBidRequest });
  const socket = connectTo(exchange);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(post.repeat(50));
  await until('all responses are there', () => received.split('HTTP/1.1 200').length - 1 === 50);
  expect(most).toBe(1);
  socket.destroy();
});

test('requests that wait when their client leaves are charged and counted, and start no auction', async () => {
  const auction = Promise.withResolvers<Outcome>();
  let auctions = 0;
  exchange = await startExchange({}, { handleBidRequest: () => (auctions++, auction.promise) });
  const socket = connectTo(exchange);
  socket.write(post.repeat(20));
  const [request] = (await once(exchange.server, 'request')) as [IncomingMessage];
  await until('the first auction runs', () => auctions === 1);
  socket.resetAndDestroy();
  await until('the server notices', () => request.socket.destroyed);
  auction.resolve(bid);
  await until('all requests are counted', () => exchange.outcomes.length === 20);
  expect(auctions).toBe(1);
  const names = exchange.outcomes.map((outcome) => 'error' in outcome && outcome.error.name);
  expect(new Set(names)).toEqual(new Set(['http.clientClosed']));
});

test('a connection on which more than 1,000 requests wait is cut', async () => {
  exchange = await startExchange({ maxInFlight: 5_000 }, { handleBidRequest: () => new Promise(() => {}) });
  const socket = connectTo(exchange);
  socket.write(post + get.repeat(1_001));
  await once(socket, 'close');
  expect(exchange.cut).toEqual(['pipeline']);
});
