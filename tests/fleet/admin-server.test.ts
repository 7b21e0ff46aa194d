/** The admin server responds to GET and HEAD only, and no client of it can hold memory, connections or time of the primary. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type AdminTimeouts, createAdminServer } from '../../src/fleet/admin-server.ts';
import { listen } from '../../src/fleet/listen.ts';
import { sendRaw } from '../support/send-raw.ts';
import { until } from '../support/until.ts';

/** More than the socket buffers of both sides. */
const largeBody = 'x'.repeat(16 * 1_048_576);

let server: Server;
let start: (timeouts: AdminTimeouts) => Promise<void>;
let calls: string[];
let holdMetrics: Promise<void> | undefined;
const sockets: Socket[] = [];
beforeEach(async () => {
  calls = [];
  holdMetrics = undefined;
  const routes = {
    '/healthz': () => ({ status: 200, body: { ok: true } }),
    '/metrics': async () => {
      calls.push('/metrics');
      await holdMetrics;
      return { status: 200, body: 'up 1\n' };
    },
    '/large': () => ({ status: 200, body: largeBody }),
    '/echo': {
      maxBodyBytes: 0,
      handle: ({ headers }: IncomingMessage) => ({ status: 200, body: { value: headers['x-value'] } }),
    },
    '/body': { maxBodyBytes: 9, handle: () => ({ status: 200, body: {} }) },
    '/defect': () => Promise.reject(new Error('no workers')),
  };
  start = async (timeouts) => {
    server = createAdminServer(routes, timeouts);
    await listen(server, { port: 0, host: '127.0.0.1', variable: 'ADMIN_PORT' });
  };
  await start({ headersMs: 60_000, requestMs: 60_000, writeMs: 60_000 });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;
const url = (path: string) => `http://127.0.0.1:${port()}${path}`;
const close = 'Host: a\r\nConnection: close\r\n';

function open(bytes: string): Socket {
  const socket = connect(port(), '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  sockets.push(socket);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve) => void server.getConnections((_error, count) => resolve(count)));

describe('methods and targets', () => {
  test('GET has the body, HEAD only its length', async () => {
    const get = await fetch(url('/healthz?probe=1'));
    expect([get.status, await get.json()]).toEqual([200, { ok: true }]);
    const head = await sendRaw(server, `HEAD /healthz HTTP/1.1\r\n${close}\r\n`);
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '12' } });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])('%s: 405', async (method) => {
    const { status, headers } = await sendRaw(server, `${method} /metrics HTTP/1.1\r\n${close}\r\n`);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(calls).toEqual([]);
  });

  test('CONNECT: 405, and the connection closes', async () => {
    expect(await sendRaw(server, 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
  });

  test('an upgrade is ignored', async () => {
    const upgrade = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect((await sendRaw(server, upgrade)).status).toBe(200);
  });

  test.each(['/', '/metrics/', '/metrics/..', '//metrics', '*', 'http://%@x/metrics', 'a://%%@$', '/__proto__', '/%'])(
    'unknown target %s: 404',
    async (target) => {
      expect((await sendRaw(server, `GET ${target} HTTP/1.1\r\n${close}\r\n`)).status).toBe(404);
    },
  );

  test('a defect of a handler: 500, and the server stays up', async () => {
    expect((await fetch(url('/defect'))).status).toBe(500);
    expect((await fetch(url('/healthz'))).status).toBe(200);
  });
});

describe('malformed HTTP: 400, and the connection closes', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['HTTP/0.9', 'GET /healthz HTTP/0.9\r\nHost: a\r\n\r\n'],
    ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    expect((await sendRaw(server, bytes)).status).toBe(400);
  });
});

describe('bodies are not read', () => {
  const endless = 'Host: a\r\nContent-Length: 1000000000000\r\n\r\nhello';
  test.each([
    ['POST', 405],
    ['GET', 200],
  ])('%s with an endless body: %d, and the connection closes', async (method, status) => {
    expect((await sendRaw(server, `${method} /healthz HTTP/1.1\r\n${endless}`)).status).toBe(status);
  });

  test('100 Continue is not sent', async () => {
    const head = 'POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n';
    expect((await sendRaw(server, head)).status).toBe(405);
  });
});

test('concurrent requests for a path share one call of its handler; later ones get a new one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  holdMetrics = promise;
  let arrived = 0;
  server.on('request', () => arrived++);
  const bodies = Array.from({ length: 20 }, async () => (await fetch(url('/metrics'))).text());
  await until('all requests have arrived', () => arrived === 20);
  resolve();
  expect(new Set(await Promise.all(bodies))).toEqual(new Set(['up 1\n']));
  expect(calls).toEqual(['/metrics']);
  await (await fetch(url('/metrics'))).text();
  expect(calls).toEqual(['/metrics', '/metrics']);
});

test('a route that depends on the request is not shared', async () => {
  const responses = await Promise.all(
    ['1', '2'].map((value) => fetch(url('/echo'), { headers: { 'x-value': value } })),
  );
  expect(await Promise.all(responses.map((response) => response.json()))).toEqual([{ value: '1' }, { value: '2' }]);
});

describe('connections', () => {
  const startImpatient = async () => {
    server.close();
    await start({ headersMs: 200, requestMs: 400, writeMs: 300 });
  };

  test('unfinished headers: 408, and the connection closes', async () => {
    await startImpatient();
    expect((await sendRaw(server, 'GET /healthz HTTP/1.1\r\nHost: a\r\n')).status).toBe(408);
  });

  test('a client that does not read is cut off after the write timeout', async () => {
    await startImpatient();
    open('GET /large HTTP/1.1\r\nHost: a\r\n\r\n').pause();
    await until('the connection is open', async () => (await connections()) === 1);
    await until('the connection is closed', async () => (await connections()) === 0);
  });

  test('a client that sends a second request before the first response is cut off: one body per connection', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    holdMetrics = promise;
    const socket = open('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
    await once(socket.resume(), 'close');
    resolve();
    expect(calls).toEqual(['/metrics']);
  });

  test('a connection serves one request after another', async () => {
    const socket = open('').setEncoding('utf8');
    for (let i = 0; i < 3; i++) {
      socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
      const [response] = (await once(socket, 'data')) as [string];
      expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*up 1\n$/);
    }
  });

  test('no more than 100 at a time', async () => {
    for (let i = 0; i < 130; i++) open('').resume();
    await until('the rest is closed', () => sockets.filter(({ closed }) => closed).length >= 30);
    expect(await connections()).toBeLessThanOrEqual(100);
  });

  test('those without a request give way to a probe', async () => {
    const busy = Promise.withResolvers<void>();
    holdMetrics = busy.promise;
    const metrics = fetch(url('/metrics'));
    await until('a request is in progress', () => calls.length > 0);
    const held = Array.from({ length: 130 }, () => open('GET /healthz HTTP/1.1\r\n').resume());
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    expect((await fetch(url('/healthz'))).status).toBe(200);
    busy.resolve();
    expect((await metrics).status).toBe(200);
  });

  test('those whose clients neither complete their requests nor read their responses give way to a probe', async () => {
    const busy = Promise.withResolvers<void>();
    holdMetrics = busy.promise;
    const metrics = fetch(url('/metrics'));
    await until('a request is in progress', () => calls.length > 0);
    let received = 1;
    server.on('request', () => received++);
    for (let i = 0; i < 97; i++) open('GET /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1').resume();
    for (let i = 0; i < 2; i++) open('GET /large HTTP/1.1\r\nHost: a\r\n\r\n').pause();
    await until('all have a request', () => received === 100);
    expect((await fetch(url('/healthz'))).status).toBe(200);
    busy.resolve();
    expect((await metrics).status).toBe(200);
  });

  test('if each has a request that is handled, the oldest gives way', async () => {
    const busy = Promise.withResolvers<void>();
    holdMetrics = busy.promise;
    let received = 0;
    server.on('request', () => received++);
    const held = Array.from({ length: 100 }, () => open('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n').resume());
    await until('all have a request', () => received === 100);
    expect((await fetch(url('/healthz'))).status).toBe(200);
    expect(held.filter(({ closed }) => closed)).toHaveLength(1);
    busy.resolve();
  });
});
