/** A body in too many chunks is parsed to the end of the read in which it has too many. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { parseResponse } from '../support/send-raw.ts';
import type { TestExchange } from '../support/test-exchange.ts';

/** HTTPParser.kOnBody: the parser looks its listener up once per chunk, also if there is none. */
const kOnBody = 3;

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

const chunksOf = (text: string): string => text.replaceAll(/./g, '1\r\n$&\r\n');

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each([
  ['of a bid request', '/openrtb2', 400],
  ['that nobody reads', '/unknown', 404],
])('a body %s in chunks of one byte is parsed up to the end of the first read', async (_body, path, status) => {
  exchange = await startExchange();
  const parsed = countParsedChunks(exchange);
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(`${head(path)}${chunksOf(JSON.stringify(fullRequest).padEnd(50_000))}0\r\n\r\n`);
  await once(socket, 'close');
  expect(parseResponse(received)).toMatchObject({ status, headers: { connection: 'close' } });
  expect(parsed.chunks).toBeGreaterThan(10);
  expect(parsed.chunks).toBeLessThan(maxReadBytes / chunksOf(' ').length);
});
