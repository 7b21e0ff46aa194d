/** Requests on one connection that arrive before the responses to earlier ones: every response is in its place. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { fullRequest } from '../support/full-request.ts';
import { bid, connectTo, get, post } from '../support/pipelined-client.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

const connectRequest = 'CONNECT gavel.test:443 HTTP/1.1\r\nHost: gavel.test\r\n\r\n';
const chunkedHead =
  'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const tinyChunks = `${chunkedHead}${'1\r\n \r\n'.repeat(200)}0\r\n\r\n`;
const upgrade = 'GET / HTTP/1.1\r\nHost: gavel.test\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';
const upgradePost = post.replace(
  'Host',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\nHost',
);
const brokenChunk = `${chunkedHead}zz\r\n`;

let exchange: TestExchange;
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

/** What node:http calls with the bytes that it reads from the socket. */
const parserOf = (socket: Socket) => (socket as unknown as { parser: { execute(bytes: Buffer): void } }).parser;

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
  ['a body in tiny chunks behind two requests', post + post + tinyChunks, ['200', '200', '400']],
  ['a body in tiny chunks before an upgrade', `${post}${tinyChunks}${upgrade}`, ['200', '400']],
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

describe('a request with Upgrade', () => {
  test('is served, and the connection can be used again', async () => {
    exchange = await startExchange();
    const socket = connectTo(exchange).setEncoding('utf8');
    for (let sent = 0; sent < 3; sent++) {
      socket.write(upgradePost.slice(0, -10));
      await once(exchange.server, 'request');
      socket.write(upgradePost.slice(-10));
      const [response] = (await once(socket, 'data')) as [string];
      expect(response).toMatch(/^HTTP\/1.1 200 [^]*Connection: keep-alive/);
    }
    socket.destroy();
  });

  test.each([
    ['in progress', post + upgradePost + get.repeat(3), ['200', '200']],
    ['that has its response', upgradePost.replace('/openrtb2', '/nothing') + post + post, ['404']],
    ['behind another one', upgradePost + upgradePost, ['200']],
  ])('%s: the connection closes, because node:http loses what follows', async (_state, bytes, statuses) => {
    expect(await statusesOf(bytes)).toEqual(statuses);
    expect(exchange.defects).toEqual([]);
  });

  test.each([
    ['is not HTTP', 'GARBAGE\r\n\r\n'],
    ['has a chunked body with a length', chunkedHead.replace('Host', 'Content-Length: 5\r\nHost')],
    ['has headers of 20 kB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('what follows it and %s is charged, and gets 400', async (_what, bytes) => {
    exchange = await startExchange();
    const socket = connectTo(exchange).setEncoding('utf8');
    socket.write(upgradePost);
    await once(socket, 'data');
    socket.write(bytes);
    const [response] = (await once(socket, 'data')) as [string];
    expect(response).toMatch(/^HTTP\/1.1 400 [^]*Connection: close/);
    await once(socket, 'close');
    expect(exchange.rejected).toEqual(['http.malformed']);
  });

  test('and a broken chunk gets 400', async () => {
    const message = `${upgradePost.split('Content-Length')[0]}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`;
    expect(await statusesOf(message)).toEqual(['400']);
    expect(exchange.outcomes).toMatchObject([{ error: { name: 'http.malformed' } }]);
  });
});

describe('after a body that is too large, in too many chunks', () => {
  const chunks = (count: number, size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count);
  const statusLines = async (socket: Socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    await once(socket, 'close');
    return received.match(/HTTP\/1\.1 \d+/g);
  };

  const tooLarge = 256 * 1024 + 1;

  test('the connection is closed: no later request loses its body', async () => {
    exchange = await startExchange();
    const socket = connectTo(exchange);
    socket.write(`${chunkedHead}${chunks(1, tooLarge)}${chunks(17_600, 1)}0\r\n\r\n${post}`);
    expect(await statusLines(socket)).toEqual(['HTTP/1.1 413']);
    expect(exchange.outcomes).toHaveLength(1);
  });

  test('of which the last come after its response, the connection is closed', async () => {
    exchange = await startExchange();
    const socket = connectTo(exchange);
    socket.write(`${chunkedHead}${chunks(1, tooLarge)}${chunks(8_800, 1)}`);
    await until('it has its response', () => exchange.outcomes.length === 1);
    socket.write(`${chunks(8_800, 1)}0\r\n\r\n${post}`);
    expect(await statusLines(socket)).toEqual(['HTTP/1.1 413']);
    expect(exchange.outcomes).toHaveLength(1);
  });
});

test('a client that is over its limit and sends tiny chunks is disconnected after its 429', async () => {
  const rejected = { admitted: false, scope: 'ip', limit: 1, remaining: 0, resetAtMs: 0 } as const;
  const limiter = { cachedRejection: () => undefined, decide: () => Promise.resolve(rejected) };
  exchange = await startExchange({}, { limiter });
  const socket = connectTo(exchange);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(tinyChunks + post);
  await once(socket, 'close');
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 429']);
});

test('a head that is too large is charged once, however many segments it arrives in', async () => {
  exchange = await startExchange();
  const socket = connectTo(exchange);
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

test('a connection has one auction at a time, also if two requests are read as soon as the last one that waited has its response', async () => {
  let running = 0;
  let most = 0;
  const handleBidRequest = async () => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    running--;
    return bid;
  };
  exchange = await startExchange({}, { handleBidRequest });
  let requests = 0;
  exchange.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (++requests === 2) response.once('close', () => parserOf(socket).execute(Buffer.from(post + post)));
  });
  const socket = connectTo(exchange);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(post + post);
  await until('all responses are there', () => received.split('HTTP/1.1 200').length - 1 === 4);
  expect(most).toBe(1);
  socket.destroy();
});

test('requests that wait when their client leaves are charged and counted, and start no auction', async () => {
  const auction = Promise.withResolvers<Outcome>();
  let auctions = 0;
  exchange = await startExchange({}, { handleBidRequest: () => (auctions++, auction.promise) });
  const socket = connectTo(exchange);
  socket.write(post.repeat(15)); // few enough that the connection is still read
  const [request] = (await once(exchange.server, 'request')) as [IncomingMessage];
  await until('the first auction runs', () => auctions === 1);
  socket.resetAndDestroy();
  await until('the server notices', () => request.socket.destroyed);
  auction.resolve(bid);
  await until('all requests are counted', () => exchange.outcomes.length === 15);
  expect(auctions).toBe(1);
  const names = exchange.outcomes.map((outcome) => 'error' in outcome && outcome.error.name);
  expect(new Set(names)).toEqual(new Set(['http.clientClosed']));
});

test.each([
  ['CONNECT', connectRequest, () => exchange.outcomes.length],
  ['bytes that are not HTTP', 'how do you do?\r\n\r\n', () => exchange.outcomes.length + exchange.rejected.length],
])('so is what follows them: %s', async (_what, last, counted) => {
  const auction = Promise.withResolvers<Outcome>();
  exchange = await startExchange({}, { handleBidRequest: () => auction.promise });
  const socket = connectTo(exchange);
  socket.write(post + post + last);
  const [request] = (await once(exchange.server, 'request')) as [IncomingMessage];
  socket.resetAndDestroy();
  await until('the server notices', () => request.socket.destroyed || !request.socket.readable);
  auction.resolve(bid);
  await until('all requests are counted', () => counted() === 3);
  expect(exchange.defects).toEqual([]);
});
