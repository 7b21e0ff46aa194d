/** Concurrency limits; every slot is released, however its request ends. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConcurrencyLimiter, type Slot } from '../../src/http/concurrency-limiter.ts';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

describe('the limiter', () => {
  test('limits the slots of an address, from the first byte of a request', () => {
    const limiter = new ConcurrencyLimiter({ handling: 100, perAddress: 2 });
    const [first] = [limiter.acquire('a'), limiter.acquire('a')];
    expect(limiter.acquire('a')).toBeUndefined();
    expect(limiter.acquire('b')).toBeDefined();
    limiter.release(first!);
    expect(limiter.acquire('a')).toBeDefined();
  });

  test.each([
    [3, 3],
    [1, 2],
    ['exempt', 10],
  ] as const)(
    'an address with the limit %p of its own has as many slots, and no fewer than the others',
    (own, slots) => {
      const limiter = new ConcurrencyLimiter({ handling: 100, perAddress: 2 });
      const acquired = Array.from({ length: 10 }, () => limiter.acquire('a', own)).filter(Boolean);
      expect(acquired).toHaveLength(slots);
    },
  );

  test('a slot that was released before its body was read is not counted as handled', () => {
    const limiter = new ConcurrencyLimiter({ handling: 1, perAddress: 100 });
    const left = limiter.acquire('a')!;
    limiter.release(left);
    limiter.startHandling(left);
    limiter.release(left);
    expect(limiter.startHandling(limiter.acquire('b')!)).toBe(true);
  });

  test('limits the requests that are handled, from the last byte of their body', () => {
    const limiter = new ConcurrencyLimiter({ handling: 1, perAddress: 100 });
    const [first, second] = [limiter.acquire('a')!, limiter.acquire('b')!];
    expect(limiter.startHandling(first)).toBe(true);
    expect(limiter.startHandling(second)).toBe(false);
    limiter.release(second);
    const third = limiter.acquire('c')!;
    expect(limiter.startHandling(third)).toBe(false);
    limiter.release(first);
    expect(limiter.startHandling(third)).toBe(true);
  });

  test('has all slots again when every request has ended, handled or not', () => {
    const anyRequests = fc.array(fc.record({ address: fc.constantFrom('a', 'b'), hasBody: fc.boolean() }));
    fc.assert(
      fc.property(anyRequests, (requests) => {
        const limiter = new ConcurrencyLimiter({ handling: 3, perAddress: 2 });
        const slots: Slot[] = [];
        for (const { address, hasBody } of requests) {
          const slot = limiter.acquire(address);
          if (slot) slots.push(slot);
          if (slot && hasBody) limiter.startHandling(slot);
        }
        for (const slot of slots) limiter.release(slot);
        const fresh = ['a', 'a', 'b', 'b'].map((address) => limiter.acquire(address));
        expect(fresh).not.toContain(undefined);
        expect(fresh.map((slot) => limiter.startHandling(slot!))).toEqual([true, true, true, false]);
      }),
    );
  });
});

describe('over sockets, with one slot per address', () => {
  let exchange: TestExchange;
  afterEach(() => {
    exchange.server.closeAllConnections();
    exchange.server.close();
  });

  const start = async (bodyTimeoutMs = 60_000) =>
    (exchange = await startExchange({ maxPerAddress: 1, bodyTimeoutMs, requestTimeoutMs: 60_000 }));
  const openSocket = (): Socket =>
    connect((exchange.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const body = JSON.stringify(fullRequest);
  const head = (length: number, type = 'application/json') =>
    `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  const status = async () => (await sendCase(exchange.server, { body: fullRequest })).status;

  test.each([
    ['whose body stalls', ''],
    ['whose client stops in the middle of the body', '{"id":'],
  ])('a request %s holds its slot until it ends', async (_what, sent) => {
    await start();
    const socket = openSocket();
    socket.write(head(1_000).replace('Host:', 'Expect: 100-continue\r\nHost:'));
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 100 /); // the slot is taken
    socket.write(sent);
    expect(await status()).toBe(503);
    socket.resetAndDestroy();
    await until('the slot is free', async () => (await status()) === 200);
  });

  test('a stalled body releases its slot with its 408', async () => {
    await start(200);
    const socket = openSocket();
    socket.write(head(1_000));
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 408 /);
    await until('the slot is free', async () => (await status()) === 200);
  });

  test.each([
    ['too large', head(300_000)],
    ['of another content type', `${head(2, 'text/plain')}{}`],
  ])('a request that is rejected by its headers as %s releases its slot', async (_what, request) => {
    await start();
    const socket = openSocket();
    socket.write(request);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await until('the slot is free', async () => (await status()) === 200);
  });

  test('requests pipelined on one connection that is reset release all their slots', async () => {
    exchange = await startExchange({ maxPerAddress: 3 });
    const socket = openSocket();
    socket.write((head(body.length) + body).repeat(3));
    socket.resetAndDestroy();
    await until('three slots are free', async () => {
      const statuses = await Promise.all([status(), status(), status()]);
      return statuses.every((one) => one === 200);
    });
  });
});
