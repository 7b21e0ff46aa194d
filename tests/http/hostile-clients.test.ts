/** Clients that leave, never read, never finish or send too much: each costs a token, a bounded amount of memory, and no slot. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { fullRequest } from '../support/full-request.ts';
import { localLimiter } from '../support/local-limiter.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import { parseResponse } from '../support/send-raw.ts';
import type { ExchangeOptions, TestExchange, TestParts } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

const started: TestExchange[] = [];

afterEach(() => {
  for (const { server } of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(options: ExchangeOptions = {}, parts: TestParts = {}): Promise<TestExchange> {
  const exchange = await startExchange(options, parts);
  started.push(exchange);
  return exchange;
}

const open = ({ server }: TestExchange): Socket =>
  connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});

const body = JSON.stringify(fullRequest);
const head = (length: number | 'chunked', path = '/openrtb2') =>
  `POST ${path} HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`;

const namesOf = ({ outcomes }: TestExchange): string[] =>
  outcomes.map((outcome) => ('error' in outcome ? outcome.error.name : outcome.kind));

const outcomesAre = (exchange: TestExchange, count: number): Promise<void> =>
  until(`${count} requests have an outcome`, () => exchange.outcomes.length >= count);

/** Everything that the server sends until it closes the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'close');
  return received;
}

/** Sends bytes and resolves when the server has read the head of the request. */
async function sendHead(exchange: TestExchange, socket: Socket, bytes: string): Promise<IncomingMessage> {
  socket.write(bytes);
  const [request] = (await once(exchange.server, 'request')) as [IncomingMessage];
  return request;
}

const bid: Outcome = { kind: 'bid', response: { id: 'r1', seatbid: [], cur: 'USD' } };

/** Resolves when `release` is called. */
function createGate(): { passed: Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, release: resolve };
}

describe('a client that leaves', () => {
  test.each([
    ['resetting the connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['closing its side', (socket: Socket) => void socket.end()],
  ])('in the middle of its body, by %s, is charged and counted once and gets no response', async (_how, leave) => {
    const exchange = await start({ limits: { ip: 50 } });
    const socket = open(exchange);
    await sendHead(exchange, socket, `${head(1000)}{"id":`);
    const received = readToEnd(socket);
    leave(socket);
    expect(await received).toBe('');
    await outcomesAre(exchange, 1);
    expect(namesOf(exchange)).toEqual(['http.clientClosed']);
    expect(exchange.rejected).toEqual([]);
  });

  test('in the middle of its body finds its tokens gone', async () => {
    const exchange = await start({ limits: { ip: 2 } });
    for (const count of [1, 2]) {
      const socket = open(exchange);
      await sendHead(exchange, socket, `${head(1000)}{"id":`);
      socket.resetAndDestroy();
      await outcomesAre(exchange, count);
    }
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 429 });
  });

  test('by closing its side in the middle of its head is counted, and gets no response', async () => {
    const exchange = await start();
    const socket = open(exchange);
    socket.end('POST /openrtb2 HTTP/1.1\r\nHost: gav');
    expect(await readToEnd(socket)).toBe('');
    expect(exchange.rejected).toEqual(['http.clientClosed']);
  });

  test('without having sent a byte in time is not charged, and gets no response', async () => {
    const exchange = await start({ headersTimeoutMs: 100, limits: { ip: 1 } });
    expect(await readToEnd(open(exchange))).toBe('');
    expect(exchange.rejected).toEqual([]);
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 });
  });

  test('during the auction gets no response, and its slot is free', async () => {
    const gate = createGate();
    const handleBidRequest = () => gate.passed.then(() => bid);
    const exchange = await start({ maxPerAddress: 1 }, { handleBidRequest });
    const socket = open(exchange);
    const request = await sendHead(exchange, socket, head(body.length) + body);
    const received = readToEnd(socket);
    socket.end();
    await until('the server notices', () => request.socket.destroyed);
    gate.release();
    expect(await received).toBe('');
    await outcomesAre(exchange, 1);
    expect(namesOf(exchange)).toEqual(['http.clientClosed']);
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 });
  });

  test('before the auction starts none', async () => {
    const gate = createGate();
    const limiter = localLimiter({ ip: 100, publisher: 100, global: 100 });
    const decide = limiter.decide.bind(limiter);
    limiter.decide = (keys) => gate.passed.then(() => decide(keys));
    let auctions = 0;
    const handleBidRequest = () => Promise.resolve((auctions++, bid));
    const exchange = await start({}, { limiter, handleBidRequest });
    const socket = open(exchange);
    const request = await sendHead(exchange, socket, head(body.length) + body);
    socket.resetAndDestroy();
    await until('the server notices', () => request.socket.destroyed);
    gate.release();
    await outcomesAre(exchange, 1);
    expect({ outcomes: namesOf(exchange), auctions }).toEqual({ outcomes: ['http.clientClosed'], auctions: 0 });
  });
});

describe('a client that never reads', () => {
  /** The response is larger than what the kernel buffers. */
  const large: Outcome = { kind: 'bid', response: { id: 'x'.repeat(20_000_000), seatbid: [], cur: 'USD' } };
  const handleBidRequest = () => Promise.resolve(large);

  test('holds no slot, and its connection is cut after the write timeout', async () => {
    const exchange = await start({ maxPerAddress: 1, maxInFlight: 1, writeTimeoutMs: 200 }, { handleBidRequest });
    for (const count of [1, 2]) {
      open(exchange)
        .pause()
        .write(head(body.length) + body);
      await outcomesAre(exchange, count);
    }
    expect(namesOf(exchange)).toEqual(['bid', 'bid']);
    await until('both connections are cut', () => exchange.cut.length === 2);
    expect(exchange.cut).toEqual(['timeout', 'timeout']);
  });

  test('is cut at once when unread responses fill the memory: the oldest first', async () => {
    const exchange = await start({ maxUnreadBytes: 30_000_000, writeTimeoutMs: 60_000 }, { handleBidRequest });
    const clients = [open(exchange), open(exchange)];
    for (const [index, client] of clients.entries()) {
      client.pause().write(head(body.length) + body);
      await outcomesAre(exchange, index + 1);
    }
    expect(exchange.cut).toEqual(['memory']);
    await until('the first client is disconnected', () => clients[0]!.resume().destroyed);
    expect(clients[1]!.destroyed).toBe(false);
  });

  test('does not affect one that reads in time', async () => {
    const exchange = await start({ writeTimeoutMs: 60_000 }, { handleBidRequest });
    const socket = open(exchange);
    socket.pause().write(head(body.length).replace('Host', 'Connection: close\r\nHost') + body);
    await outcomesAre(exchange, 1);
    const { status, headers, text } = parseResponse(await readToEnd(socket.resume()));
    expect({ status, bytes: text.length }).toEqual({ status: 200, bytes: Number(headers['content-length']) });
    expect(exchange.cut).toEqual([]);
  });
});

/** Counts what the parser reports of bodies. */
function countChunks({ server }: TestExchange): { chunks: number; bytes: number } {
  const reported = { chunks: 0, bytes: 0 };
  server.prependListener('request', (request: IncomingMessage) => {
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null) => {
      reported.chunks++;
      reported.bytes += chunk?.length ?? 0;
      return push(chunk);
    };
  });
  return reported;
}

describe('bodies that are not read', () => {
  const rejected = { admitted: false, scope: 'ip', limit: 1, remaining: 0, resetAtMs: 0 } as const;
  const overLimit = { cachedRejection: () => rejected, decide: () => Promise.resolve(rejected) };

  const requests: [string, ExchangeOptions & TestParts, string, number][] = [
    ['an unknown path', {}, '/nothing', 404],
    ['the endpoint', {}, '/openrtb2', 400],
    ['the endpoint by a client without a slot', { maxPerAddress: 0 }, '/openrtb2', 503],
    ['the endpoint by a client over its limit', { limiter: overLimit }, '/openrtb2', 429],
  ];
  // The shorter body arrives at once: the request is complete before its response.
  test.each([5_000, 100_000].flatMap((count) => requests.map((request) => [count, ...request] as const)))(
    'in %i one-byte chunks to %s end the connection after a bounded number of chunks',
    async (count, _to, { limiter, ...given }, path, status) => {
      const exchange = await start(given, limiter && { limiter });
      const reported = countChunks(exchange);
      const socket = open(exchange);
      socket.write(head('chunked', path) + '1\r\n \r\n'.repeat(count) + '0\r\n\r\n');
      expect(parseResponse(await readToEnd(socket)).status).toBe(status);
      expect(reported.chunks).toBeLessThan(200);
      expect(await sendCase(exchange.server, { path: '/', body: fullRequest, padTo: 100_000 })).toMatchObject({
        status: status === 429 ? 429 : 404,
      });
    },
  );

  test('larger than a megabyte end the connection', async () => {
    const exchange = await start();
    const socket = open(exchange);
    const reported = countChunks(exchange);
    socket.write(head(10_000_000));
    const pump = setInterval(() => socket.writableLength === 0 && socket.write(Buffer.alloc(500_000)), 1);
    socket.once('data', () => clearInterval(pump)); // later writes would fail
    expect(parseResponse(await readToEnd(socket)).status).toBe(413);
    expect(reported.bytes).toBeLessThan(1_200_000);
  });
});

test('stalled bodies hold a bounded amount of memory, and a body that arrives in time is served', async () => {
  const exchange = await start({ maxBufferedBytes: 500_000, maxPerAddress: 1_000, bodyTimeoutMs: 60_000 });
  const stalled = Array.from({ length: 10 }, () => {
    const socket = open(exchange);
    socket.write(head(200_000) + ' '.repeat(150_000));
    return socket;
  });
  await outcomesAre(exchange, 7);
  expect(new Set(namesOf(exchange))).toEqual(new Set(['server.bodyMemory']));
  expect(await sendCase(exchange.server, { body: fullRequest, padTo: 200_000 })).toMatchObject({ status: 200 });
  for (const socket of stalled) socket.destroy();
});

test('a request to upgrade the connection is served as an ordinary request', async () => {
  const exchange = await start();
  const socket = open(exchange);
  socket.write(head(body.length).replace('Host', 'Upgrade: websocket\r\nConnection: upgrade, close\r\nHost') + body);
  expect(parseResponse(await readToEnd(socket)).status).toBe(200);
});

test('an address has a limited number of connections, which other addresses and trusted proxies do not share', async () => {
  const exchange = await start({ maxConnections: 2, trustProxy: '127.0.0.9' });
  const { port } = exchange.server.address() as AddressInfo;
  const from = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  const own = [from('127.0.0.1'), from('127.0.0.1')];
  await Promise.all(own.map((socket) => once(socket, 'connect')));
  await once(from('127.0.0.1').resume(), 'close');
  expect(exchange.cut).toEqual(['connections']);
  for (const address of ['127.0.0.2', '127.0.0.9', '127.0.0.9', '127.0.0.9']) await once(from(address), 'connect');
  own[0]!.destroy();
  await until('the server notices', async () => {
    const socket = from('127.0.0.1');
    socket.write(head(body.length).replace('Host', 'Connection: close\r\nHost') + body);
    return (await readToEnd(socket)).startsWith('HTTP/1.1 200');
  });
});
