/** The HTTP client against real sockets: what it writes, which connections it uses again, and how calls fail. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { HttpClient, type Request } from '../../src/http-client/http-client.ts';
import { until } from '../support/until.ts';
import { TestCall } from './test-call.ts';

/** A server that responds to the nth request on any of its connections, from 0. */
class RawServer {
  readonly connections: Socket[] = [];
  /** Each as it arrived in one read. */
  readonly requests: string[] = [];
  readonly #server: Server;

  constructor(respond: (socket: Socket, index: number) => void) {
    this.#server = createServer((socket) => {
      this.connections.push(socket);
      socket
        .on('error', () => {})
        .on('data', (chunk) => respond(socket, this.requests.push(chunk.toString('utf8')) - 1));
    });
    servers.push(this);
  }

  async start(host = '127.0.0.1'): Promise<string> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${this.port}/bid`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.connections) socket.destroy();
  }
}

const servers: RawServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

const plain = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
const complete = { status: 200, body: '{}', isGzip: false };
const broken = { failure: 'broken' };
const headers = { 'content-type': 'application/json' };
const post = (url: string, body = '{}'): Request => ({ method: 'POST', url, headers, body });

async function setUp(respond: (socket: Socket, index: number) => void) {
  const server = new RawServer(respond);
  const url = await server.start();
  const client = new HttpClient({});
  const call = (request = post(url)) => new TestCall(client, request);
  return { server, client, url, call };
}

describe('a request', () => {
  test('is one write: its line, its headers, its length in bytes and its body', async () => {
    const { server, url, call } = await setUp((socket) => socket.write(plain));
    const request = { ...post(`${url}?a=b`, '{"a":"é"}'), ownHeaders: { traceparent: '00-1' } };
    expect(await call(request).ended).toEqual(complete);
    const lines = [
      'POST /bid?a=b HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'accept-encoding: gzip',
      'traceparent: 00-1',
      'content-length: 10',
    ];
    expect(server.requests).toEqual([`${lines.join('\r\n')}\r\n\r\n{"a":"é"}`]);
  });

  test('without a body has no length', async () => {
    const { server, url, call } = await setUp((socket) => socket.write(plain));
    await call({ method: 'GET', url, headers: {} }).ended;
    expect(server.requests[0]).toMatch(
      /^GET \/bid HTTP\/1\.1\r\nhost: \S+\r\nconnection: keep-alive\r\naccept-encoding: gzip\r\n\r\n$/,
    );
  });

  test.each([
    ['a line break in a header', { headers: { a: 'b\r\nc: d' } }],
    ['a blank in the name of a header', { headers: { 'a b': 'c' } }],
    ['another protocol', { url: 'ftp://127.0.0.1/' }],
  ])('with %s is a defect', async (_what, part) => {
    const { url, call } = await setUp(() => {});
    expect(() => call({ ...post(url), ...part })).toThrow(/header|URL/);
  });

  test('has the headers and the URL of its own call, not those of the one before', async () => {
    const { server, url, call } = await setUp((socket) => socket.write(plain));
    await call().ended;
    await call({ ...post(`${url}/other`), headers: { accept: '*/*' } }).ended;
    await call({ method: 'GET', url, headers }).ended;
    expect(server.requests.map((text) => text.split('\r\n')[0])).toEqual([
      'POST /bid HTTP/1.1',
      'POST /bid/other HTTP/1.1',
      'GET /bid HTTP/1.1',
    ]);
    expect(server.requests[1]).toContain('accept: */*');
  });
});

describe('a connection', () => {
  /** How many connections two calls, one after the other, have used. */
  async function connectionsOf(response: string, status = 200): Promise<number> {
    const { server, call } = await setUp((socket) => socket.write(response));
    for (let count = 0; count < 2; count++) expect(await call().ended).toMatchObject({ status });
    return server.connections.length;
  }

  test.each([
    ['a length', plain],
    ['chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['an announced timeout of 3 s', plain.replace('content', 'keep-alive: timeout=3\r\ncontent')],
  ])('is used again after a response with %s', async (_what, response) => {
    expect(await connectionsOf(response)).toBe(1);
  });

  test('is used again after an error whose body has arrived, and not if its body goes on', async () => {
    expect(await connectionsOf('HTTP/1.1 503 Busy\r\ncontent-length: 2\r\n\r\n{}', 503)).toBe(1);
    expect(await connectionsOf('HTTP/1.1 503 Busy\r\ncontent-length: 3\r\n\r\n{}', 503)).toBe(2);
  });

  test.each([
    ['`connection: close`', plain.replace('content', 'connection: close\r\ncontent')],
    ['an announced timeout of 2 s', plain.replace('content', 'keep-alive: timeout=2, max=9\r\ncontent')],
    ['more bytes than its length', `${plain}x`],
    ['a second response', plain + plain],
  ])('is not used again after a response with %s', async (_what, response) => {
    expect(await connectionsOf(response)).toBe(2);
  });

  test('on which the server sends something unrequested is closed', async () => {
    const { server, call } = await setUp((socket) => socket.write(plain));
    const { pool, ended } = call();
    await ended;
    server.connections[0]!.write(plain.replace('{}', '[]'));
    await until('the connection is closed', () => pool.size === 0);
    expect(await call().ended).toEqual(complete);
  });

  test('that the server has closed while it was idle is not used', async () => {
    const { server, call } = await setUp((socket) => socket.write(plain));
    await call().ended;
    const [connection] = server.connections;
    const closed = once(connection!, 'close');
    connection!.destroy();
    await closed; // the client has not read it yet
    expect(await call().ended).toEqual(complete);
    expect(server.connections).toHaveLength(2);
  });

  test.each([
    ['30 s', plain, 30],
    ['the announced timeout less two seconds', plain.replace('content', 'keep-alive: timeout=5\r\ncontent'), 3],
    ['ten minutes at most', plain.replace('content', 'keep-alive: timeout=9999\r\ncontent'), 600],
  ])('is idle for %s', async (_what, response, seconds) => {
    const { call } = await setUp((socket) => socket.write(response));
    const { pool, ended } = call();
    await ended;
    for (let second = 1; second < seconds; second++) pool.sweep();
    expect(pool.size).toBe(1);
    pool.sweep();
    expect(pool.size).toBe(0);
  });

  test('to a host name ends after 60 to 90 seconds, however busy it is', async () => {
    let respond = () => {};
    const server = new RawServer((socket) => (respond = () => socket.write(plain)));
    await server.start();
    const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const client = new HttpClient({ lookup });
    for (let second = 1; second <= 91; second++) {
      const { pool, ended } = new TestCall(client, post(`http://partner.test:${server.port}/bid`));
      await until('the server has the request', () => server.requests.length === second);
      pool.sweep();
      respond();
      expect(await ended).toEqual(complete);
      if (second < 60) expect(server.connections).toHaveLength(1);
    }
    expect(server.connections).toHaveLength(2);
  });

  test('becomes as old as its idle time, not as the connection', async () => {
    const { call } = await setUp((socket) => socket.write(plain));
    const { pool, ended } = call();
    await ended;
    for (let second = 0; second < 29; second++) pool.sweep();
    await call().ended;
    for (let second = 0; second < 29; second++) pool.sweep();
    expect(pool.size).toBe(1);
  });

  test('is opened to the next address if the first one does not accept it', async () => {
    const server = new RawServer((socket) => socket.write(plain));
    await server.start();
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const url = `http://partner.test:${server.port}/`;
    expect(await new TestCall(new HttpClient({ lookup }), post(url)).ended).toEqual(complete);
  });
});

describe('a call', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['the server closes the connection instead of responding', (socket) => socket.end()],
    ['the server resets the connection', (socket) => socket.resetAndDestroy()],
    ['the connection ends in the head', (socket) => socket.end('HTTP/1.1 200 OK\r\n')],
    ['the connection ends in the body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}')],
    [
      'the connection is reset in a body without a length',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n{}', () => setImmediate(() => socket.resetAndDestroy()));
      },
    ],
    ['the response is not HTTP', (socket) => socket.write('SSH-2.0\r\n')],
  ])('is broken, and not repeated, if %s', async (_what, respond) => {
    const { server, call } = await setUp(respond);
    expect(await call().ended).toEqual(broken);
    expect(server.requests).toHaveLength(1);
  });

  test('is broken if nobody listens, and so is every other one that waits', async () => {
    const { server, call } = await setUp(() => {});
    server.stop();
    expect(await Promise.all([call().ended, call().ended, call().ended])).toEqual([broken, broken, broken]);
  });

  test('is excessive if its response is, and its connection is closed', async () => {
    const { call } = await setUp((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`));
    const { pool, ended } = call();
    expect(await ended).toEqual({ failure: 'excessive' });
    expect(pool.size).toBe(0);
  });

  test('gets a response that the end of the connection completes', async () => {
    const { call } = await setUp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: X-GZIP\r\n\r\n{}'));
    expect(await call().ended).toEqual({ ...complete, isGzip: true });
  });

  test('that is cancelled closes its connection, even if the response has begun', async () => {
    const { server, call } = await setUp((socket) => socket.write(plain.slice(0, -1)));
    const one = call();
    await until('the request has arrived', () => server.requests.length === 1);
    one.pool.cancel(one);
    expect(one.pool.size).toBe(0);
    expect(one.connection).toBeUndefined();
  });

  test('that is cancelled before it is sent is not sent; its connection serves a later one', async () => {
    const { server, call } = await setUp((socket) => socket.write(plain));
    const one = call();
    await new Promise((resolve) => setImmediate(resolve)); // a connection is being opened for it
    one.pool.cancel(one);
    expect(await call().ended).toEqual(complete);
    expect(server.requests).toHaveLength(1);
    expect(await Promise.all([call().ended, call().ended])).toEqual([complete, complete]);
    expect(server.connections).toHaveLength(2);
  });

  test('without a deadline ends after six seconds', async () => {
    const { server, call } = await setUp(() => {});
    const { pool, ended } = call();
    await until('the request has arrived', () => server.requests.length === 1);
    for (let second = 0; second < 6; second++) pool.sweep();
    expect(await ended).toEqual(broken);
  });

  test('has a connection of its own while others are open: nothing is pipelined', async () => {
    const { server, call } = await setUp((_socket, index) => {
      if (index === 2) for (const open of server.connections) open.write(plain);
    });
    expect(await Promise.all([call().ended, call().ended, call().ended])).toEqual([complete, complete, complete]);
    expect(server.connections).toHaveLength(3);
  });
});
