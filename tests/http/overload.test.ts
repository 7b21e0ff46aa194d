/** While the worker is overloaded, requests wait at their headers: the newest are served first, those that waited too long get 503. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { EventLoopClock, processTimes } from '../../src/overload/event-loop-clock.ts';
import { type Client, message, open, start, startFull, statuses } from '../support/held-exchange.ts';
import { LongTurnClock } from '../support/long-turn-clock.ts';
import { standingClock } from '../support/standing-clock.ts';
import { until } from '../support/until.ts';

test('a request that waited too long gets 503, and its connection serves the next one', async () => {
  const { control, port } = await start();
  const client = await open(port);
  client.socket.write(message('a'));
  await until('the response has arrived', () => statuses(client).length === 1);
  expect(client.received()).toMatch(/^Retry-After: [123]\r$/m);
  expect(control.refused).toBe(1);
  control.holdsRequests = false;
  control.free = Infinity;
  client.socket.write(message('b'));
  await until('both responses have arrived', () => statuses(client).length === 2);
  expect(statuses(client)).toEqual(['503', '400']);
  expect(control.refused).toBe(1);
});

test('a worker that refuses connections keeps those of the requests that it sheds', async () => {
  const { control, port } = await start();
  const client = await open(port);
  control.refusesConnections = true;
  for (const count of [1, 2]) {
    client.socket.write(message('a'));
    await until('the response has arrived', () => statuses(client).length === count);
  }
  expect(statuses(client)).toEqual(['503', '503']);
});

test('a HEAD request that is shed gets no body', async () => {
  const { port } = await start();
  const client = await open(port);
  client.socket.write('HEAD /openrtb2 HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the response has arrived', () => client.received().includes('\r\n\r\n'));
  client.socket.write(message('a'));
  await until('both responses have arrived', () => statuses(client).length === 2);
  expect(client.received()).toMatch(/^HTTP\/1\.1 503 [^{]*\r\n\r\nHTTP\/1\.1 503 /);
});

test('a connection whose request was shed is closed if no other follows, but not while one is served', async () => {
  const auction = Promise.withResolvers<Outcome>();
  let auctions = 0;
  const options = { keepAliveTimeoutMs: 60_000, handleBidRequest: () => (auctions++, auction.promise) };
  const { control, exchange, port } = await start(new EventLoopClock(), options);
  const sockets: Socket[] = [];
  exchange.server.on('connection', (socket) => sockets.push(socket));
  const [idle, busy] = [await open(port), await open(port)];
  for (const { socket } of [idle, busy]) socket.write(message('a'));
  await until('both have their 503', () => [idle, busy].every((client) => statuses(client).length === 1));
  expect(sockets.map(({ timeout }) => timeout)).toEqual([60_000, 60_000]);
  control.holdsRequests = false;
  control.free = Infinity;
  busy.socket.write(message('b'));
  await until('the auction runs', () => auctions === 1);
  expect(sockets.map(({ timeout }) => timeout)).toEqual([60_000, 0]);
  sockets[0]!.emit('timeout');
  await once(idle.socket, 'end');
  auction.resolve({ kind: 'no_bid' });
  await until('the other has its response', () => statuses(busy).length === 2);
  expect(statuses(busy)).toEqual(['503', '204']);
  expect(exchange.defects).toEqual([]);
});

test('the ids of shed requests differ, and equal the ids in their bodies', async () => {
  const { port } = await start();
  const clients = [await open(port), await open(port)];
  for (const client of clients) client.socket.write(message('a'));
  await until('both responses have arrived', () => clients.every((client) => statuses(client).length === 1));
  const ids = clients.map(({ received }) => /^X-Request-Id: (.*)\r$/m.exec(received())![1]);
  expect(clients.map(({ received }) => /"request_id":"([^"]*)"/.exec(received())![1])).toEqual(ids);
  expect(new Set(ids).size).toBe(2);
});

test('a request that is read late in a long turn waits for the next one, without overload', async () => {
  const { control, port } = await start(new LongTurnClock());
  control.holdsRequests = false;
  const client = await open(port);
  client.socket.write(message('a'));
  await until('the request waits', () => control.waiting === 1);
  control.free = 1;
  await until('it has its response', () => statuses(client).length === 1);
  expect(statuses(client)).toEqual(['400']);
});

test('a request to upgrade the protocol that waits is served like any other', async () => {
  const { control, port } = await start(new LongTurnClock());
  control.holdsRequests = false;
  const client = await open(port);
  client.socket.write(
    message('a', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAA']),
  );
  await until('the request waits', () => control.waiting === 1);
  control.free = 1;
  await until('it has its response', () => statuses(client).length === 1);
  expect(statuses(client)).toEqual(['400']);
});

test('no more requests start in one turn than are served in the target delay', async () => {
  const { control, port } = await start(standingClock().clock);
  control.perTurn = 1;
  const clients = [await open(port), await open(port)];
  for (const client of clients) client.socket.write(message('a'));
  await until('both requests wait', () => control.waiting === 2);
  control.free = 10;
  await until('both have their responses', () => clients.every((client) => statuses(client).length === 1));
  expect(clients.flatMap(statuses)).toEqual(['400', '400']);
  expect(control.allWaiting).toContain(1);
});

describe('a request that would not be served in time', () => {
  test('gets its 503 at once, and its connection serves the next one', async () => {
    const { control, port } = await startFull();
    const client = await open(port);
    client.socket.write(message('b'));
    await until('the response has arrived', () => statuses(client).length === 1);
    expect(statuses(client)).toEqual(['503']);
    control.holdsRequests = false;
    client.socket.write(message('c'));
    await until('both responses have arrived', () => statuses(client).length === 2);
    expect(client.received()).toContain('"field":"imp"'); // its body was read
  });

  test('and others that are pipelined behind it keep their order', async () => {
    const { port } = await startFull();
    const client = await open(port);
    client.socket.write(message('b') + message('c'));
    await until('both responses have arrived', () => statuses(client).length === 2);
    expect(statuses(client)).toEqual(['503', '503']);
  });

  test('and more than 64 that are pipelined behind it cost the client its connection', async () => {
    const { exchange, port } = await startFull();
    const { socket } = await open(port);
    socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(1_000));
    await until('it is disconnected', () => socket.destroyed);
    expect(exchange.cut).toEqual(['pipeline']);
    expect(exchange.outcomes).toHaveLength(64);
  });

  test('costs the client its connection if it reads no response', async () => {
    const { exchange, port } = await startFull();
    exchange.server.once('connection', (socket: Socket) => socket.cork()); // as if the kernel took no more
    const { socket } = await open(port);
    for (let sent = 1; !socket.destroyed; sent++) {
      socket.write('GET / HTTP/1.1\r\n\r\n');
      await until('it is shed, or cut', () => exchange.outcomes.length >= sent || socket.destroyed);
      expect(sent).toBeLessThan(1_000);
    }
    expect(exchange.cut).toEqual(['pipeline']);
  });

  test('gets its 503 after those that have waited too long', async () => {
    let laterMs = 0;
    const clock = new EventLoopClock({ ...processTimes, nowMs: () => performance.now() + laterMs });
    const { control, port } = await start(clock);
    Object.assign(control, { holdsRequests: false, acceptsFirst: true, throughput: 0 });
    const clients = await Promise.all([1, 2, 3, 4, 5].map(() => open(port)));
    const [last, ...waiting] = clients.toReversed();
    for (const { socket } of waiting) socket.write(message('a'));
    await until('four requests wait', () => control.waiting === 4);
    laterMs = 1_000;
    // The overload begins with the last request.
    Object.defineProperty(control, 'acceptsFirst', { get: () => (control.holdsRequests = true) });
    last!.socket.write(message('b'));
    await until('all have their responses', () => clients.every((client) => statuses(client).length === 1));
    const ids = clients.map(({ received }) => /^X-Request-Id: (.*)\r$/m.exec(received())![1]!);
    expect(ids.toSorted().at(-1)).toBe(ids.at(-1)); // they are numbered
  });
});

/** A queue, though the worker is not overloaded: nothing in it gets 503. */
const withoutExpiry = { holdsRequests: false, acceptsFirst: true };

/** The name of the client that gets its response first. */
const firstServed = (clients: Record<string, Client>): Promise<string> =>
  Promise.race(Object.entries(clients).map(([name, { socket }]) => once(socket, 'data').then(() => name)));

test.each([
  ['in overload, the newest request is admitted first', { holdsRequests: true }, 'newer'],
  ['of a long queue, the newest request is admitted first', { ...withoutExpiry, longQueue: 1 }, 'newer'],
  ['of a shorter queue, the oldest request is admitted first', { ...withoutExpiry, longQueue: 2 }, 'older'],
])('%s', async (_rule, state, first) => {
  const { control, port } = await start(standingClock().clock);
  Object.assign(control, state);
  const older = await open(port);
  older.socket.write(message('older'));
  await until('the request waits', () => control.waiting === 1);
  const newer = await open(port);
  newer.socket.write(message('newer'));
  await until('both requests wait', () => control.waiting === 2);
  control.free = 1;
  expect(await firstServed({ older, newer })).toBe(first);
});

test('a client that has used less than others is served first', async () => {
  const { control, usage, port } = await start();
  Object.assign(control, withoutExpiry);
  usage.charge('127.0.0.1', 50, performance.now());
  usage.charge('127.0.0.2', 5, performance.now());
  const busy = await open(port);
  const other = await open(port, '127.0.0.2');
  busy.socket.write(message('busy'));
  await until('the request waits', () => control.waiting === 1);
  other.socket.write(message('other'));
  await until('both requests wait', () => control.waiting === 2);
  control.free = 1;
  expect(await firstServed({ busy, other })).toBe('other');
});

test('a request counts as usage of the connection it came on', async () => {
  const { control, usage, port } = await start();
  Object.assign(control, { holdsRequests: false, free: Infinity });
  const client = await open(port, '127.0.0.2');
  client.socket.write(message('a', ['X-Forwarded-For: 203.0.113.1']));
  await until('it has its response', () => statuses(client).length === 1);
  const nowMs = performance.now();
  expect(usage.of('127.0.0.2', nowMs)).toBeLessThan(usage.of('unknown', nowMs));
  expect(usage.of('203.0.113.1', nowMs)).toBe(usage.of('unknown', nowMs));
});

test.each([
  ['its turn comes', 1, 0],
  ['it has waited too long', 0, 60],
])('a request whose client has left is dropped, not served, when %s', async (_when, free, waitedMs) => {
  const { clock, advance } = standingClock();
  const { control, exchange, port } = await start(clock);
  let served = 0;
  exchange.server.on('request', () => served++);
  const accepted = once(exchange.server, 'connection') as Promise<[Socket]>;
  const client = await open(port);
  const [socket] = await accepted;
  client.socket.write(message('a'));
  await until('the request waits', () => control.waiting === 1);
  client.socket.destroy();
  await until('the server notices', () => !socket.writable);
  control.free = free;
  advance(waitedMs);
  await until('the request has ended', () => exchange.outcomes.length === 1);
  expect(exchange.outcomes).toMatchObject([{ error: { code: 'CLIENT_CLOSED_REQUEST' } }]);
  expect(served).toBe(0);
});

test('new connections are closed, old ones stay, and accepted again later', async () => {
  const { control, exchange, port } = await start();
  const old = await open(port);
  control.refusesConnections = true;
  control.throughput = 0;
  const fresh: Awaited<ReturnType<typeof open>>[] = [];
  while (exchange.cut.length === 0) fresh.push(await open(port)); // a few are let in
  await until('a connection is closed', () => fresh.some(({ socket }) => socket.destroyed));
  expect(exchange.cut[0]).toBe('overload');
  control.holdsRequests = false;
  control.free = Infinity;
  old.socket.write(message('a'));
  await until('the response has arrived', () => statuses(old).length === 1);
  expect(statuses(old)).toEqual(['400']);
  control.refusesConnections = false;
  await until('connections are accepted', () => exchange.server.maxConnections > 0);
  const admitted = await open(port);
  admitted.socket.write(message('b'));
  await until('the response has arrived', () => statuses(admitted).length === 1);
});

test('requests wait while connections arrive in every turn, for a bounded time', async () => {
  const { control, exchange, port } = await start();
  Object.assign(control, { holdsRequests: false, acceptsFirst: true, free: Infinity });
  const client = await open(port);
  client.socket.write(message('a'));
  await until('the response has arrived', () => statuses(client).length === 1);
  const storm = async () => {
    while (statuses(client).length < 2) (await open(port)).socket.destroy();
  };
  client.socket.write(message('b'));
  await Promise.all([storm(), storm(), storm()]);
  expect(exchange.outcomes).toHaveLength(2);
});

test('every request that starts also ends', async () => {
  const { control, exchange, port } = await start();
  control.holdsRequests = false;
  control.free = Infinity;
  const client = await open(port);
  client.socket.write(message('a') + message('b') + message('c').slice(0, -5));
  await until('both responses have arrived', () => statuses(client).length === 2);
  client.socket.destroy();
  await until('all requests have ended', () => exchange.outcomes.length === 3);
  expect(control.inProgress).toBe(0);
});
