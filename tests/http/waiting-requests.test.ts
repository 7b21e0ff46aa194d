/** Many pipelined requests on one connection: what of them is read, and how much memory they may take. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { fullRequest } from '../support/full-request.ts';
import { unlimitedAdmission } from '../support/partner-environment.ts';
import { bid, connectTo, get, post } from '../support/pipelined-client.ts';
import { startExchange } from '../support/run-case.ts';
import { standingClock } from '../support/standing-clock.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

let exchange: TestExchange;
afterEach(() => {
  exchange.server.closeAllConnections();
  exchange.server.close();
});

describe('bodies of requests that wait', () => {
  const large = JSON.stringify({ ...fullRequest, x: 'x'.repeat(30_000) });
  const postLarge = post.replace(/Content-Length: [^]*/, `Content-Length: ${large.length}\r\n\r\n${large}`);

  test('are few: a connection on which more than 16 wait is not read until fewer do', async () => {
    const auction = Promise.withResolvers<Outcome>();
    exchange = await startExchange({ maxInFlight: 5_000 }, { handleBidRequest: () => auction.promise });
    const socket = connectTo(exchange);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    let requests = 0;
    exchange.server.on('request', () => requests++);
    socket.write(postLarge.repeat(150));
    await until('reading has stopped', () => requests > 16);
    await until('the bodies are counted', () => exchange.bufferedBytes() > 0);
    expect(requests).toBeLessThan(25);
    expect(exchange.bufferedBytes()).toBeLessThan(25 * large.length);
    auction.resolve(bid);
    await until('all responses are there', () => received.split('HTTP/1.1 200').length - 1 === 150);
    expect(exchange.cut).toEqual([]);
    socket.destroy();
  });

  test('leave no bytes behind when they are served', async () => {
    exchange = await startExchange({ maxInFlight: 5_000, maxBufferedBytes: 2_000_000 });
    for (let round = 0; round < 3; round++) {
      const socket = connectTo(exchange);
      let received = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      socket.write(postLarge.repeat(40));
      await until('all responses are there', () => received.split('HTTP/1.1 200').length - 1 === 40);
      socket.destroy();
    }
    expect(exchange.cut).toEqual([]);
  });

  test('count as bodies that are received: beyond the memory for them, the connection that waits longest is cut', async () => {
    exchange = await startExchange(
      { maxInFlight: 5_000, maxBufferedBytes: 200_000 },
      { handleBidRequest: () => new Promise(() => {}) },
    );
    const clients: Socket[] = [];
    const isCut = () => exchange.cut.length > 0;
    for (let count = 0; count < 4; count++) {
      const client = connectTo(exchange);
      clients.push(client);
      client.write(post + postLarge.repeat(2));
      await until('their bodies are counted', () => exchange.bufferedBytes() >= 64_000 * (count + 1) || isCut());
    }
    await until('the first connection is closed', () => clients[0]!.closed);
    expect(exchange.cut).toEqual(['pipeline']);
    expect(clients.slice(1).some(({ closed }) => closed)).toBe(false);
    for (const client of clients) client.destroy();
  });
});

test('many empty chunked bodies on one connection take no memory from the body of another', async () => {
  exchange = await startExchange({ maxBufferedBytes: 1_000_000, bodyTimeoutMs: 60_000, requestTimeoutMs: 60_000 });
  const other = connectTo(exchange);
  let received = '';
  other.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  other.write(post.slice(0, -10));
  await until('a part of the body has arrived', () => exchange.bufferedBytes() > 0);
  const many = connectTo(exchange);
  many.write('POST / HTTP/1.1\r\nTransfer-Encoding:chunked\r\n\r\n0\r\n\r\n'.repeat(1_255));
  await until('the connection is cut', () => many.closed);
  other.write(post.slice(-10));
  await until('the response is there', () => received.includes('HTTP/1.1'));
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
});

test('a connection on which more than 1,000 requests wait is cut', async () => {
  const { clock } = standingClock(); // in a long turn the first request would be held, and the others behind it
  exchange = await startExchange(
    { maxInFlight: 5_000 },
    { handleBidRequest: () => new Promise(() => {}), admission: { ...unlimitedAdmission(), clock } },
  );
  const socket = connectTo(exchange);
  const [accepted] = (await once(exchange.server, 'connection')) as [{ parser: { execute(bytes: Buffer): void } }];
  accepted.parser.execute(Buffer.from(post + get.repeat(1_001))); // as one read: after 16 the connection is not read
  await once(socket, 'close');
  expect(exchange.cut).toEqual(['pipeline']);
});
