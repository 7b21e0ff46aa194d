/** A head that arrives in many small pieces costs its client the connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { parseResponse, sendRaw } from '../support/send-raw.ts';
import type { TestExchange } from '../support/test-exchange.ts';

let exchange: TestExchange;
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

const start = () => startExchange({ headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 });
const body = JSON.stringify(fullRequest);
const head = `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const mostPieces = 2_000;

/** Sends `first`, then a head that never ends; resolves with what it received by the end of the connection. */
async function trickle(first: string): Promise<{ received: string; sent: number }> {
  const socket = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.setNoDelay(true).write(`${first}${head.slice(0, 40)}`);
  let received = '';
  let sent = 0;
  const send = () => {
    if (!socket.writable || sent === mostPieces) return;
    sent++;
    socket.write('a', () => setImmediate(send));
  };
  send();
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'close');
  return { received, sent };
}

test.each([
  ['empty lines before a request', '\r\n'.repeat(800_000)],
  ['spaces before the value of a header', `POST /openrtb2 HTTP/1.1\r\nHost: ${' '.repeat(1_600_000)}`],
])('%s are read up to the length of a head', async (_what, bytes) => {
  exchange = await start();
  const [socket] = await Promise.all([
    once(exchange.server, 'connection').then(([connection]) => connection as Socket),
    sendRaw(exchange.server, bytes).then((response) => expect(response.status).toBe(431)),
  ]);
  expect(socket.bytesRead).toBeLessThan(600_000);
  expect(exchange.rejected).toEqual(['http.headersTooLarge']);
});

describe('headers that trickle in single bytes', () => {
  test('are rejected after a bounded number of them', async () => {
    exchange = await start();
    const { received, sent } = await trickle('');
    expect(parseResponse(received)).toMatchObject({ status: 400, headers: { connection: 'close' } });
    expect(received).toContain('more than 256 pieces');
    expect(sent).toBeLessThan(mostPieces);
    expect(exchange.rejected).toEqual(['http.malformed']);
  });

  test('are rejected behind a request that was served', async () => {
    exchange = await start();
    const { received } = await trickle(head + body);
    expect(received).toMatch(/^HTTP\/1.1 200 /);
    expect(received).toContain('more than 256 pieces');
    expect(exchange.rejected).toEqual(['http.malformed']);
  });
});
