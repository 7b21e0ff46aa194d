/** Bodies that arrive in single bytes: each piece costs the exchange a read, so there may be so many. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { parseResponse, type RawResponse } from '../support/send-raw.ts';
import type { TestExchange } from '../support/test-exchange.ts';

/** HTTPParser.kOnExecute: called after each read. */
const kOnExecute = 5;

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await startExchange({ bodyTimeoutMs: 60_000 });
});
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

const headWith = (framing: string): string =>
  `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

/** `response` is there when the exchange has closed the connection. */
function openConnection(): { socket: Socket; response: Promise<RawResponse> } {
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket
    .setNoDelay(true)
    .setEncoding('utf8')
    .on('data', (text: string) => (received += text));
  return { socket, response: once(socket, 'close').then(() => parseResponse(received)) };
}

/** Sends the text again and again, one byte at a time, until the exchange closes the connection. */
async function trickle(start: string, byte: string): Promise<RawResponse & { sent: number }> {
  const { socket, response } = openConnection();
  socket.write(start);
  let sent = 0;
  const sendNext = () => {
    if (socket.closed || !socket.writable) return;
    sent++;
    socket.write(byte, () => setImmediate(sendNext));
  };
  sendNext();
  return { ...(await response), sent };
}

test('a body is rejected after a bounded number of pieces', async () => {
  const response = await trickle(headWith('Content-Length: 100000'), ' ');
  expect(response).toMatchObject({ status: 400, headers: { connection: 'close' } });
  expect(exchange.outcomes).toMatchObject([{ error: { name: 'http.smallChunks' } }]);
});

test.each([
  ['extensions of a chunk', '5;'],
  ['trailers', '0\r\n'],
  ['extensions of the last of many chunks', `${'10\r\n                \r\n'.repeat(100)}5;`],
])('%s are rejected after 256 pieces', async (_what, opening) => {
  const response = await trickle(`${headWith('Transfer-Encoding: chunked')}${opening}`, 'a');
  expect(response).toMatchObject({ status: 400, headers: { connection: 'close' } });
  expect(response.text).toContain('more than 256 pieces');
  expect(response.sent).toBeLessThan(10_000); // of the 16 KiB that the parser allows
});

test('a chunk may come in three pieces: its size, its data and its end', async () => {
  const body = JSON.stringify(fullRequest).padEnd(20_000);
  const chunks = body.match(/.{1,100}/g)!.flatMap((chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n']);
  let onRead = () => {};
  exchange.server.on('connection', (socket: Socket & { parser?: object }) => {
    const listener = Reflect.get(socket.parser!, kOnExecute) as (this: unknown, parsed: unknown) => unknown;
    Reflect.set(socket.parser!, kOnExecute, function noteRead(this: unknown, parsed: unknown): unknown {
      onRead();
      return listener.call(this, parsed);
    });
  });
  const { socket, response } = openConnection();
  for (const piece of [headWith('Transfer-Encoding: chunked\r\nConnection: close'), ...chunks, '0\r\n\r\n']) {
    const isRead = new Promise<void>((resolve) => (onRead = resolve));
    socket.write(piece);
    await isRead;
  }
  expect(await response).toMatchObject({ status: 200 });
});
