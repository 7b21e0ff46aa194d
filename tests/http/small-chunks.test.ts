/** What small chunks cost counts, and what nobody needs of them is not parsed beyond the current read. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { BodyTurns } from '../../src/pacing/pacer.ts';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import { parseResponse } from '../support/send-raw.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

/** HTTPParser.kOnBody: the parser looks its listener up once per chunk, also if there is none. */
const kOnBody = 3;
/** HTTPParser.kOnExecute: called after each read. */
const kOnExecute = 5;

/** What node:http reads and parses at a time. */
const maxReadBytes = 64 * 1024;

let exchange: TestExchange;
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

function countParsedChunks({ server }: TestExchange): { chunks: number } {
  const parsed = { chunks: 0 };
  server.on('connection', (socket: Socket & { parser?: object }) => {
    let listener: unknown = Reflect.get(socket.parser!, kOnBody);
    Object.defineProperty(socket.parser!, kOnBody, {
      get() {
        parsed.chunks++;
        return listener;
      },
      set(changed: unknown) {
        listener = changed;
      },
    });
  });
  return parsed;
}

/** Those that reach the request. */
function countReportedChunks({ server }: TestExchange): { chunks: number } {
  const reported = { chunks: 0 };
  server.on('connection', (socket: Socket & { parser?: object }) => {
    const listener = Reflect.get(socket.parser!, kOnBody) as (this: unknown, chunk: Buffer) => unknown;
    Reflect.set(socket.parser!, kOnBody, function count(this: unknown, chunk: Buffer): unknown {
      reported.chunks++;
      return listener.call(this, chunk);
    });
  });
  return reported;
}

const chunksOf = (text: string, bytes = 1): string =>
  text.replaceAll(new RegExp(`.{${bytes}}`, 'g'), `${bytes.toString(16)}\r\n$&\r\n`);

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Of 4,000 chunks, the most that are allowed for its size. */
const inSmallChunks = `${head('/openrtb2')}${chunksOf(JSON.stringify(fullRequest).padEnd(64_000), 16)}0\r\n\r\n`;

/** Sends the request on a connection of its own, and reads to the end of its response. */
async function send(message: string): Promise<ReturnType<typeof parseResponse>> {
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  let received = '';
  const isReceived = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      if (received.includes('\r\n\r\n')) resolve();
    });
  });
  socket.write(message);
  await Promise.race([isReceived, once(socket, 'close')]);
  socket.destroy();
  return parseResponse(received);
}

test.each([
  ['of a bid request', '/openrtb2', 400],
  ['that nobody reads', '/unknown', 404],
])('a body %s in chunks of one byte is parsed up to the end of the first read', async (_body, path, status) => {
  exchange = await startExchange();
  const parsed = countParsedChunks(exchange);
  const response = await send(`${head(path)}${chunksOf(JSON.stringify(fullRequest).padEnd(50_000))}0\r\n\r\n`);
  expect(response).toMatchObject({ status, headers: { connection: 'close' } });
  expect(parsed.chunks).toBeGreaterThan(10);
  expect(parsed.chunks).toBeLessThan(maxReadBytes / chunksOf(' ').length);
});

test('what small chunks take is charged to the pacer; ordinary chunks take nothing', async () => {
  const charged: number[] = [];
  const pacer: BodyTurns = {
    turn: () => Promise.resolve(true),
    isLate: () => false,
    charge: (tookMs) => void charged.push(tookMs),
    isBusy: false,
  };
  exchange = await startExchange({}, { pacer });
  const ordinary = JSON.stringify(fullRequest);
  const single = `${head('/openrtb2')}${ordinary.length.toString(16)}\r\n${ordinary}\r\n0\r\n\r\n`;
  expect(await send(single)).toMatchObject({ status: 200 });
  expect(charged).toEqual([]);
  expect(await send(inSmallChunks)).toMatchObject({ status: 200 });
  expect(charged).toEqual([expect.closeTo(16)]);
});

test('a client whose bodies are in small chunks is costly: while it is late, it gets 503 and its chunks are not reported', async () => {
  let isLate = false;
  let turns = 0;
  const pacer: BodyTurns = {
    turn: () => Promise.resolve(++turns > 0),
    isLate: () => isLate,
    charge: () => {},
    isBusy: false,
  };
  exchange = await startExchange({}, { pacer });
  for (let sent = 0; sent < 10; sent++) expect(await send(inSmallChunks)).toMatchObject({ status: 200 });
  const turnsOfLargeBodies = turns;
  expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 });
  expect(turns).toBeGreaterThan(turnsOfLargeBodies);
  isLate = true;
  const reported = countReportedChunks(exchange);
  expect(await send(inSmallChunks)).toMatchObject({ status: 503, headers: { connection: 'close' } });
  expect(reported.chunks).toBe(0);
});

test('a client whose chunks are costly gets 503 while large work waits, and its chunks are not reported', async () => {
  const pacer = { turn: () => Promise.resolve(true), isLate: () => false, charge: () => {}, isBusy: false };
  exchange = await startExchange({}, { pacer });
  pacer.isBusy = true;
  expect(await send(inSmallChunks)).toMatchObject({ status: 200 }); // the first one
  pacer.isBusy = false;
  for (let sent = 0; sent < 3; sent++) expect(await send(inSmallChunks)).toMatchObject({ status: 200 });
  pacer.isBusy = true;
  const reported = countReportedChunks(exchange);
  expect(await send(inSmallChunks)).toMatchObject({ status: 503, headers: { connection: 'close' } });
  expect(reported.chunks).toBe(0);
  expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 }); // with a length
  pacer.isBusy = false;
  expect(await send(inSmallChunks)).toMatchObject({ status: 200 });
});

test('after a read with many chunks, others come first', async () => {
  exchange = await startExchange();
  let turn = 0;
  const isOver = new AbortController();
  const countTurn = () => {
    turn++;
    if (!isOver.signal.aborted) setImmediate(countTurn);
  };
  countTurn();
  const turnsOfReads: number[] = [];
  exchange.server.on('connection', (socket: Socket & { parser?: object }) => {
    const listener = Reflect.get(socket.parser!, kOnExecute) as (this: unknown, parsed: unknown) => unknown;
    Reflect.set(socket.parser!, kOnExecute, function noteTurn(this: unknown, parsed: unknown): unknown {
      turnsOfReads.push(turn);
      return listener.call(this, parsed);
    });
  });
  expect(await send(inSmallChunks)).toMatchObject({ status: 200 });
  isOver.abort();
  expect(turnsOfReads.length).toBeGreaterThan(1);
  expect(new Set(turnsOfReads).size).toBe(turnsOfReads.length);
});

test('requests in small chunks that are pipelined are not read while too many wait', async () => {
  exchange = await startExchange({}, { handleBidRequest: () => new Promise(() => {}) });
  let read = 0;
  exchange.server.on('request', () => read++);
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const request = `${head('/openrtb2')}${chunksOf(JSON.stringify(fullRequest).padEnd(4_800), 16)}0\r\n\r\n`;
  socket.write(request.repeat(200));
  await until('more than 16 requests were read', () => read > 16);
  for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
  expect(read).toBeLessThan(60);
  socket.destroy();
});
