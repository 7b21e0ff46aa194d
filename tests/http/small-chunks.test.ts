/** Small chunks cost little: they are parsed unreported, and not beyond the current read if they are too many. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
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

const chunksOf = (text: string, bytes = 1): string =>
  text.replaceAll(new RegExp(`.{${bytes}}`, 'g'), `${bytes.toString(16)}\r\n$&\r\n`);

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** With as many chunks as are allowed for its size. */
const inSmallChunks = (bytes = 64_000): string =>
  `${head('/openrtb2')}${chunksOf(JSON.stringify(fullRequest).padEnd(bytes), 16)}0\r\n\r\n`;

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

test('a body in small chunks that nobody reads is parsed up to 32 KiB', async () => {
  exchange = await startExchange();
  const parsed = countParsedChunks(exchange);
  const chunks = `10;a=b\r\n${' '.repeat(16)}\r\n`;
  const response = await send(`${head('/unknown')}${chunks.repeat(60_000)}0\r\n\r\n`);
  expect(response).toMatchObject({ status: 404, headers: { connection: 'close' } });
  expect(parsed.chunks).toBeLessThan(32 * 64 + (2 * maxReadBytes) / chunks.length);
});

test.each([
  ['extensions', `10;${'a'.repeat(15_000)}\r\n${' '.repeat(16)}\r\n`.repeat(200), '0\r\n\r\n'],
  ['extensions in one read', `10;${'a'.repeat(9_000)}\r\n${' '.repeat(16)}\r\n`.repeat(2), '0\r\n\r\n'],
  ['leading zeros', `${'0'.repeat(20_000)}10\r\n${' '.repeat(16)}\r\n`, '0\r\n\r\n'],
])('%s that are longer than the data by more than 16 KiB are rejected', async (_what, chunks, end) => {
  exchange = await startExchange();
  let read = 0;
  exchange.server.on('connection', (socket: Socket) => socket.on('close', () => (read = socket.bytesRead)));
  const response = await send(`${head('/openrtb2')}${chunks}${end}`);
  expect(response).toMatchObject({ status: 400, headers: { connection: 'close' } });
  expect(response.text).toContain('what is around the chunks is longer than their data by more than 16 KiB');
  await until('the connection is closed', () => read > 0);
  expect(read).toBeLessThan(10 * maxReadBytes); // of 3 MB: two reads, and what is dropped before the end
});

test('a body in the smallest chunks that are allowed is reported once per read, not once per chunk', async () => {
  exchange = await startExchange();
  let reports = 0;
  let bytes = 0;
  exchange.server.prependListener('request', (request: IncomingMessage) => {
    const push = request.push.bind(request);
    request.push = (data: Buffer | null) => {
      if (data) reports++;
      bytes += data?.length ?? 0;
      return push(data);
    };
  });
  expect(await send(inSmallChunks(256 * 1024))).toMatchObject({ status: 200 });
  expect(bytes).toBe(256 * 1024);
  expect(reports).toBeLessThan(64);
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
