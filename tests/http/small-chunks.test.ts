/** What small chunks cost counts, and what nobody needs of them is not parsed, or not beyond the current read. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { unlimitedAdmission } from '../support/partner-environment.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import { parseResponse } from '../support/send-raw.ts';
import { standingClock } from '../support/standing-clock.ts';
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

/** The exchange looks it up, too, but not per chunk. */
const lookups = 10;

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

const chunksOf = (text: string, bytes = 1): string =>
  text.replaceAll(new RegExp(`.{${bytes}}`, 'g'), `${bytes.toString(16)}\r\n$&\r\n`);

const head = (path: string, headers = 'Transfer-Encoding: chunked\r\n'): string =>
  `POST ${path} HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\n${headers}\r\n`;

/** Of 4,000 chunks, the most that are allowed for its size. */
const inSmallChunks = (headers = ''): string =>
  `${head('/openrtb2', `${headers}Transfer-Encoding: chunked\r\n`)}${chunksOf(JSON.stringify(fullRequest).padEnd(64_000), 16)}0\r\n\r\n`;

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

/** A pacer that grants every turn at once. */
const pacerThatIs = (isBusy: boolean) => ({
  turn: () => Promise.resolve(true),
  isLate: () => false,
  charge: (_tookMs: number) => {},
  isBusy,
});

/** No turn takes long, and what small chunks take is not forgotten, however slow the machine is. */
const standingAdmission = () => ({ ...unlimitedAdmission(), clock: standingClock().clock });

/** Two bodies of 4,000 chunks are more than is allowed in a second while large work waits. */
async function becomeCostly(headers?: string): Promise<void> {
  for (let sent = 0; sent < 2; sent++) expect(await send(inSmallChunks(headers))).toMatchObject({ status: 200 });
}

test('what small chunks take is charged to the pacer and to the client; ordinary chunks take nothing', async () => {
  const charged: number[] = [];
  const pacer = { ...pacerThatIs(false), charge: (tookMs: number) => void charged.push(tookMs) };
  const admission = standingAdmission();
  exchange = await startExchange({}, { pacer, admission });
  const ordinary = JSON.stringify(fullRequest);
  const single = `${head('/openrtb2')}${ordinary.length.toString(16)}\r\n${ordinary}\r\n0\r\n\r\n`;
  expect(await send(single)).toMatchObject({ status: 200 });
  expect(charged).toEqual([]);
  const used = () => admission.usage.of('127.0.0.1', admission.clock.nowMs());
  const usedBefore = used();
  expect(await send(inSmallChunks())).toMatchObject({ status: 200 });
  expect(charged.reduce((sum, tookMs) => sum + tookMs, 0)).toBeCloseTo(16, 0);
  expect(used()).toBeGreaterThan(usedBefore + 10);
});

test.each([
  ['bid requests get', '/openrtb2', 503],
  ['requests of other paths get', '/unknown', 404],
])('while large work waits, %s their response, and costly chunks are not parsed', async (_requests, path, status) => {
  const pacer = pacerThatIs(true);
  exchange = await startExchange({}, { pacer, admission: standingAdmission() });
  await becomeCostly();
  const parsed = countParsedChunks(exchange);
  const message = inSmallChunks().replace('/openrtb2', path);
  expect(await send(message)).toMatchObject({ status, headers: { connection: 'close' } });
  expect(parsed.chunks).toBeLessThan(lookups);
  expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 }); // with a length
  pacer.isBusy = false;
  expect(await send(inSmallChunks())).toMatchObject({ status: 200 });
});

test('costly chunks that arrive after their headers are not taken for another request', async () => {
  exchange = await startExchange({}, { pacer: pacerThatIs(true), admission: standingAdmission() });
  await becomeCostly();
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const closed = once(socket, 'close');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(head('/openrtb2'));
  await until('the response is there', () => received.includes('\r\n\r\n'));
  socket.write(`${chunksOf(JSON.stringify(fullRequest))}0\r\n\r\n`);
  await closed;
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 503']);
});

test('costly chunks are not parsed while their request would wait for others', async () => {
  const admission = standingAdmission();
  const { clock } = admission;
  clock.turnStartMs = () => clock.nowMs() - 20; // every turn has taken long
  exchange = await startExchange({}, { pacer: pacerThatIs(true), admission });
  await becomeCostly();
  const parsed = countParsedChunks(exchange);
  expect(await send(inSmallChunks())).toMatchObject({ status: 503, headers: { connection: 'close' } });
  expect(parsed.chunks).toBeLessThan(lookups);
  expect(exchange.outcomes.at(-1)).toMatchObject({ error: { name: 'server.costly' } });
});

test('a pipelined request with costly chunks closes the connection after the responses to the earlier ones', async () => {
  exchange = await startExchange({}, { pacer: pacerThatIs(true), admission: standingAdmission() });
  await becomeCostly();
  const ordinary = JSON.stringify(fullRequest);
  const first = head('/openrtb2', `Content-Length: ${ordinary.length}\r\n`) + ordinary;
  const parsed = countParsedChunks(exchange);
  expect(await send(first + inSmallChunks())).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(parsed.chunks).toBeLessThan(lookups);
});

test("behind a proxy, the chunks of one client are not another client's", async () => {
  exchange = await startExchange({}, { pacer: pacerThatIs(true), admission: standingAdmission() });
  await becomeCostly('X-Forwarded-For: 192.0.2.1\r\n');
  expect(await send(inSmallChunks('X-Forwarded-For: 192.0.2.1\r\n'))).toMatchObject({ status: 503 });
  expect(await send(inSmallChunks('X-Forwarded-For: 192.0.2.2\r\n'))).toMatchObject({ status: 200 });
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
  expect(await send(inSmallChunks())).toMatchObject({ status: 200 });
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
