/** While the worker is overloaded, requests wait at their headers: the newest are served first, those that waited too long get 503. */
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Control } from '../../src/overload/admission-control.ts';
import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';
import { LongTurnClock } from '../support/long-turn-clock.ts';
import { createTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { until } from '../support/until.ts';

/** A control that the test sets. */
class ManualControl implements Control {
  holdsRequests = true;
  refusesConnections = false;
  acceptsFirst = false;
  free = 0;
  perTurn = Infinity;
  throughput = 1;
  longQueue = 0;
  inProgress = 0;
  waiting = 0;
  /** By turn. */
  readonly allWaiting: number[] = [];
  start(): void {
    this.inProgress++;
  }
  end(): void {
    this.inProgress--;
  }
  left = 0;
  leave(): void {
    this.left++;
  }
  connect(): void {}
  endTurn(_nowMs: number, _readIdleMs: () => number, waiting: number): void {
    this.waiting = waiting;
    this.allWaiting.push(waiting);
  }
}

const opened: (TestExchange | Socket)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) {
    if ('server' in one && 'outcomes' in one) {
      one.server.closeAllConnections();
      one.server.close();
    } else one.destroy();
  }
});

async function start(clock = new EventLoopClock()) {
  const control = new ManualControl();
  const exchange = createTestExchange({}, { admission: { control, clock } });
  opened.push(exchange);
  exchange.server.listen(0, '127.0.0.1');
  await once(exchange.server, 'listening');
  return { control, exchange, port: (exchange.server.address() as AddressInfo).port };
}

interface Client {
  socket: Socket;
  received: () => string;
}

async function open(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {});
  return { socket, received: () => text };
}

const message = (id: string, headers: string[] = []): string => {
  const body = JSON.stringify({ id, imp: [], test: 0 });
  return [
    'POST /openrtb2 HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
};

const chunked = (id: string, body: string): string =>
  message(id).replace(/Content-Length: .*\r\n\r\n[^]*/, `Transfer-Encoding: chunked\r\n\r\n${body}`);

const statuses = ({ received }: Client): string[] =>
  [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

test('a request that waited too long gets 503, and its connection serves the next one', async () => {
  const { control, port } = await start();
  const client = await open(port);
  client.socket.write(message('a'));
  await until('the response has arrived', () => statuses(client).length === 1);
  expect(client.received()).toMatch(/^Retry-After: [123]\r$/m);
  control.holdsRequests = false;
  control.free = Infinity;
  client.socket.write(message('b'));
  await until('both responses have arrived', () => statuses(client).length === 2);
  expect(statuses(client)).toEqual(['503', '400']);
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

test('no more requests start in one turn than are served in the target delay', async () => {
  const { control, port } = await start();
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
  /** Four requests of the same address wait, and their share of the queue is no more. */
  async function startFull() {
    const started = await start();
    started.control.throughput = 0;
    const waiting = await Promise.all([1, 2, 3, 4].map(() => open(started.port)));
    for (const { socket } of waiting) socket.write(message('a'));
    await until('four requests wait', () => started.control.waiting === 4);
    return started;
  }

  test('gets its 503 at once, and its connection serves the next one', async () => {
    const { control, port } = await startFull();
    const client = await open(port);
    client.socket.write(message('b'));
    await until('the response has arrived', () => statuses(client).length === 1);
    expect(statuses(client)).toEqual(['503']);
    control.holdsRequests = false;
    control.free = Infinity; // a long turn holds requests without overload, too
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

  test('gets its 503 before bytes behind it that are not HTTP get 400', async () => {
    const { port } = await startFull();
    const client = await open(port);
    client.socket.write(`${message('b')}POST :80 HTTP/1.1\r\n\r\n`);
    await once(client.socket, 'end');
    expect(statuses(client)).toEqual(['503', '400']);
  });

  test('gets its 503, and its connection is closed, if its body is not HTTP', async () => {
    const { exchange, port } = await startFull();
    const client = await open(port);
    client.socket.write(chunked('b', 'x\r\n'));
    await once(client.socket, 'end');
    expect(statuses(client)).toEqual(['503']);
    expect(exchange.rejected).toEqual([]);
  });
});

test('the newest request is admitted first', async () => {
  const { control, port } = await start();
  const older = await open(port);
  older.socket.write(message('older'));
  await until('the request waits', () => control.waiting === 1);
  const newer = await open(port);
  newer.socket.write(message('newer'));
  await until('both requests wait', () => control.waiting === 2);
  control.free = 1;
  await until('the newer one has its response', () => statuses(newer).length === 1);
  control.free = 0;
  expect(statuses(newer)).toEqual(['400']);
});

test('a request whose client has left is dropped, not served', async () => {
  const { control, exchange, port } = await start();
  const client = await open(port);
  client.socket.write(message('a'));
  await until('the request waits', () => control.waiting === 1);
  client.socket.destroy();
  await until('the request has ended', () => exchange.outcomes.length === 1);
  expect(exchange.outcomes).toMatchObject([{ error: { code: 'CLIENT_CLOSED_REQUEST' } }]);
});

test('a client whose body has not arrived gets its 503 and is disconnected', async () => {
  const { port } = await start();
  const client = await open(port);
  client.socket.write(message('a').slice(0, -5));
  await once(client.socket, 'end');
  expect(statuses(client)).toEqual(['503']);
  expect(client.received()).toMatch(/^Connection: close\r$/m);
});

test('a body in one-byte chunks is dropped while its request waits, and its client is disconnected', async () => {
  const { control, port } = await start();
  const push = jest.spyOn(IncomingMessage.prototype, 'push');
  try {
    const client = await open(port);
    client.socket.write(chunked('a', `${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`));
    await once(client.socket, 'end');
    expect(control.allWaiting).toContain(1);
    expect(statuses(client)).toEqual(['503']);
    expect(client.received()).toMatch(/^Connection: close\r$/m);
    expect(push.mock.calls.length).toBeGreaterThan(10);
    expect(push.mock.calls.length).toBeLessThan(200);
  } finally {
    push.mockRestore();
  }
});

test('pipelined requests keep their order', async () => {
  const { port } = await start();
  const client = await open(port);
  client.socket.write(message('a') + message('b'));
  await until('both responses have arrived', () => statuses(client).length === 2);
  expect(statuses(client)).toEqual(['400', '400']);
});

test('a request gets its response before bytes behind it that are not HTTP get 400', async () => {
  const { control, port } = await start();
  const client = await open(port);
  client.socket.write(`${message('a').replace('/openrtb2', '/elsewhere')}POST :80 HTTP/1.1\r\n\r\n`);
  await once(client.socket, 'end');
  expect(statuses(client)).toEqual(['404', '400']);
  expect(control.inProgress).toBe(0);
});

test('a request whose body is not HTTP gets one response, 400', async () => {
  const { exchange, port } = await start();
  const client = await open(port);
  client.socket.write(chunked('a', 'x\r\n'));
  await once(client.socket, 'end');
  expect(statuses(client)).toEqual(['400']);
  expect(exchange.outcomes).toHaveLength(1);
  expect(exchange.rejected).toEqual([]);
});

test('a client that closes its side within the body of a request is counted once', async () => {
  const { exchange, port } = await start();
  const client = await open(port);
  client.socket.end(message('a').slice(0, -5));
  await once(client.socket, 'close');
  await until('the request has ended', () => exchange.outcomes.length === 1);
  expect(exchange.outcomes).toMatchObject([{ error: { code: 'CLIENT_CLOSED_REQUEST' } }]);
  expect(exchange.rejected).toEqual([]);
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
