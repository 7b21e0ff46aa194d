/** What follows the headers of a request that waits: its body, and bytes that are not HTTP. */
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { describe, expect, jest, test } from '@jest/globals';
import { chunked, message, open, start, startFull, statuses } from '../support/held-exchange.ts';
import { standingClock } from '../support/standing-clock.ts';
import { until } from '../support/until.ts';

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
    expect(push.mock.calls.length).toBeGreaterThan(0);
    expect(push.mock.calls.length).toBeLessThan(20); // once per read
  } finally {
    push.mockRestore();
  }
});

test('a body in small chunks on a connection that has served a request gets its 400', async () => {
  const { control, port } = await start();
  const client = await open(port);
  control.holdsRequests = false;
  control.free = Infinity;
  client.socket.write(message('a'));
  await until('the first response has arrived', () => statuses(client).length === 1);
  control.holdsRequests = true;
  client.socket.write(chunked('b', `${'1\r\n \r\n'.repeat(200)}0\r\n\r\n`));
  await once(client.socket, 'end');
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
  const { exchange, port } = await start(standingClock().clock);
  const client = await open(port);
  client.socket.end(message('a').slice(0, -5));
  await once(client.socket, 'close');
  await until('the request has ended', () => exchange.outcomes.length === 1);
  expect(exchange.outcomes).toMatchObject([{ error: { code: 'CLIENT_CLOSED_REQUEST' } }]);
  expect(exchange.rejected).toEqual([]);
});

describe('a request that would not be served in time', () => {
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
