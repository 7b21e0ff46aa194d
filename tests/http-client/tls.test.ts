/** The HTTP client over TLS: certificates are checked, HTTP/1.1 is negotiated, sessions are resumed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServer,
  getCACertificates,
  type Server,
  setDefaultCACertificates,
  type TlsOptions,
  type TLSSocket,
} from 'node:tls';
import { HttpClient } from '../../src/http-client/http-client.ts';
import { createCertificate } from '../support/certificate.ts';
import { until } from '../support/until.ts';
import { TestCall } from './test-call.ts';

let server: Server;
let certificate: string;
let identity: { key: Buffer; cert: string };
const connections: TLSSocket[] = [];
const resumed: boolean[] = [];
const trusted = getCACertificates('default');

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-tls-'));
  const { certificate: cert, key } = createCertificate(folder, 'DNS:localhost', 'rsa'); // what Diffie-Hellman needs
  certificate = readFileSync(cert, 'utf8');
  identity = { key: readFileSync(key), cert: certificate };
  server = createServer({ ...identity, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    connections.push(socket);
    resumed.push(socket.isSessionReused());
    socket
      .on('error', () => {})
      .on('data', () => {
        const body = JSON.stringify({ protocol: socket.alpnProtocol, name: socket.servername });
        const close = socket.isSessionReused() ? '' : 'connection: close\r\n';
        socket.write(`HTTP/1.1 200 OK\r\n${close}content-length: ${body.length}\r\n\r\n${body}`);
      });
  });
  server.on('tlsClientError', () => {}); // a client that does not trust the server
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  rmSync(folder, { recursive: true });
});
afterEach(() => setDefaultCACertificates(trusted));
afterAll(() => {
  server.close();
  for (const socket of connections) socket.destroy();
});

const call = (client: HttpClient, host = 'localhost') =>
  new TestCall(client, {
    method: 'GET',
    url: `https://${host}:${(server.address() as AddressInfo).port}/`,
    headers: {},
  });
const complete = { status: 200, body: '{"protocol":"http/1.1","name":"localhost"}', isGzip: false };

test('a server with a trusted certificate is called by its name; its session is resumed and its connection used again', async () => {
  setDefaultCACertificates([certificate]);
  const client = new HttpClient({});
  const first = call(client);
  expect(await first.ended).toEqual(complete);
  await until('its connection is closed', () => first.pool.size === 0);
  expect(await call(client).ended).toEqual(complete);
  expect(await call(client).ended).toEqual(complete);
  expect(resumed).toEqual([false, true]);
});

test.each([
  ['its certificate is not trusted', 'localhost', false],
  ['its certificate is for another name', '127.0.0.1', true],
])('a call is broken, and nothing is sent, if %s', async (_what, host, isTrusted) => {
  if (isTrusted) setDefaultCACertificates([certificate]);
  const before = connections.length;
  expect(await call(new HttpClient({}), host).ended).toEqual({ failure: 'broken' });
  expect(connections.slice(before).every((socket) => socket.bytesRead === 0)).toBe(true);
});

test('a server that sends before it is asked breaks each call once, and is not connected to again and again', async () => {
  setDefaultCACertificates([certificate]);
  let handshakes = 0;
  const options = { ...identity, maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET } as const;
  const hasty = createServer(options, (socket) => {
    handshakes++;
    socket.on('error', () => {}).write('x'); // it arrives with the last message of the handshake
  });
  hasty.listen(0, '127.0.0.1');
  await once(hasty, 'listening');
  const client = new HttpClient({});
  const url = `https://localhost:${(hasty.address() as AddressInfo).port}/`;
  const calls = Array.from({ length: 3 }, () => new TestCall(client, { method: 'GET', url, headers: {} }));
  expect(await Promise.all(calls.map(({ ended }) => ended))).toEqual(calls.map(() => ({ failure: 'broken' })));
  expect(handshakes).toBe(3);
  hasty.close();
});

describe('a server cannot decide how long a handshake takes', () => {
  const tls12 = { maxVersion: 'TLSv1.2' } as const;
  const respond = (socket: TLSSocket) =>
    socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));

  async function callServer(options: TlsOptions, onSocket: (socket: TLSSocket) => void): Promise<unknown> {
    setDefaultCACertificates([certificate]);
    const other = createServer({ ...identity, ...tls12, ...options }, (socket) => {
      connections.push(socket);
      onSocket(socket);
    }).on('tlsClientError', () => {});
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `https://localhost:${(other.address() as AddressInfo).port}/`;
    const { ended } = new TestCall(new HttpClient({}), { method: 'GET', url, headers: {} });
    const result = await ended;
    other.close();
    return result;
  }

  test('with elliptic curves, TLS 1.2 is accepted', async () => {
    expect(await callServer({}, respond)).toMatchObject({ status: 200 });
  });

  test('Diffie-Hellman with a group of the server is not offered', async () => {
    const options = { ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' };
    expect(await callServer(options, respond)).toEqual({ failure: 'broken' });
  });

  test('renegotiation breaks the call', async () => {
    const renegotiate = (socket: TLSSocket) => {
      socket.on('error', () => {}).renegotiate({}, (error) => !error && respond(socket));
    };
    expect(await callServer({}, renegotiate)).toEqual({ failure: 'broken' });
  });
});
