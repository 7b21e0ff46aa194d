/** A connection that waits for its next request keeps nothing of the last one. */
import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fullRequest } from '../support/full-request.ts';
import { message, open, start as startHeld } from '../support/held-exchange.ts';
import { startExchange } from '../support/run-case.ts';
import { until } from '../support/until.ts';
import { collectAll } from '../support/heap.ts';

const opened: { destroy: () => void }[] = [];
afterAll(() => opened.forEach((one) => one.destroy()));

test('the bytes of the body, and what was parsed from them, are given back when the response is written', async () => {
  let parsed: WeakRef<object> | undefined;
  const { server } = await startExchange(
    {},
    {
      handleBidRequest: (body) => {
        parsed = new WeakRef(body as object);
        return Promise.resolve({ kind: 'no_bid' });
      },
    },
  );
  opened.push({ destroy: () => server.close() });
  let bytes: WeakRef<Buffer> | undefined;
  server.on('request', (request) => request.on('data', (chunk: Buffer) => (bytes = new WeakRef(chunk))));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  opened.push(socket);
  const body = JSON.stringify(fullRequest);
  socket.write(
    `POST /openrtb2 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await once(socket, 'data');
  expect(parsed).toBeDefined();
  expect(bytes).toBeDefined();
  await until('both are collected', () => {
    collectAll();
    return parsed!.deref() === undefined && bytes!.deref() === undefined;
  });
  expect(socket.destroyed).toBe(false);
});

test('so are the request and its response', async () => {
  const { server } = await startExchange();
  opened.push({ destroy: () => server.close() });
  const kept: WeakRef<object>[] = [];
  server.on('request', (...both) => kept.push(...both.map((one) => new WeakRef(one))));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  opened.push(socket);
  socket.write('GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  expect(kept).toHaveLength(2);
  await until('both are collected', () => {
    collectAll();
    return kept.every((one) => one.deref() === undefined);
  });
  expect(socket.destroyed).toBe(false);
});

test('and so is a request that was shed', async () => {
  const { exchange, port } = await startHeld();
  let parser: { incoming: object | null } | undefined;
  exchange.server.on('connection', (socket: Socket) => (parser = Reflect.get(socket, 'parser') as typeof parser));
  const { socket, received } = await open(port);
  socket.write(message('a'));
  await until('it has its 503', () => received().startsWith('HTTP/1.1 503'));
  expect(parser).toMatchObject({ incoming: null });
  expect(socket.destroyed).toBe(false);
});
