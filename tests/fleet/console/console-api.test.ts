/** The console's API: lists merged over the workers, bounded; methods; bodies; the live stream. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { AuctionSample, ErrorCount, TryResult } from '../../../src/contract/console-api.ts';
import { maxStreams } from '../../../src/fleet/console/live-feed.ts';
import { sendRaw } from '../../support/send-raw.ts';
import { until } from '../../support/until.ts';
import { type ConsoleOptions, startConsole, type TestConsole } from './start-console.ts';

let started: TestConsole;
let endpoint: Server | undefined;
afterEach(() => {
  started.close();
  endpoint?.closeAllConnections();
  endpoint?.close();
  endpoint = undefined;
});
const start = async (options: ConsoleOptions = {}) => (started = await startConsole(options));
const api = (path: string, init: RequestInit = {}) => fetch(`${started.url}/console/api/${path}`, init);
const tryIt = (body: string) => api('try', { method: 'POST', body, headers: { origin: started.url } });

const auction = (requestId: string, timeMs: number, bidRequestId: string | null = null) =>
  ({ requestId, timeMs, bidRequestId }) as AuctionSample;

describe('auctions', () => {
  const ids = async (path: string) => {
    const { auctions } = (await (await api(path)).json()) as { auctions: AuctionSample[] };
    return auctions.map(({ requestId }) => requestId);
  };

  test('of all workers, the newest first', async () => {
    await start({ auctions: [[auction('a', 1), auction('c', 3)], [auction('b', 2)]] });
    expect(await ids('auctions')).toEqual(['c', 'b', 'a']);
    expect(await ids('auctions?id=')).toEqual(['c', 'b', 'a']);
  });

  test('at most 500', async () => {
    await start({ auctions: [Array.from({ length: 501 }, (_, index) => auction(`r${index}`, index))] });
    const found = await ids('auctions');
    expect([found.length, found[0], found.at(-1)]).toEqual([500, 'r500', 'r1']);
    expect(await ids('auctions?id=r0')).toEqual(['r0']);
  });

  test('a flood of one kind displaces no other; what a kind leaves goes to the others', async () => {
    const flood = Array.from({ length: 1_000 }, (_, index) => ({ ...auction(`e${index}`, 1_000 + index), error: {} }));
    const tests = Array.from({ length: 20 }, (_, index) => ({ ...auction(`t${index}`, index), test: true }));
    const others = Array.from({ length: 200 }, (_, index) => auction(`o${index}`, index));
    await start({ auctions: [flood as AuctionSample[], [...tests, ...others]] });
    const found = await ids('auctions');
    const count = (kind: string) => found.filter((id) => id.startsWith(kind)).length;
    expect([found.length, count('e'), count('t'), count('o')]).toEqual([500, 330, 20, 150]);
    expect([found[0], found[330], found.at(-1)]).toEqual(['e999', 'o199', 't0']);
  });

  test('of workers that have not replied are known to be missing', async () => {
    await start({ auctions: [[auction('a', 1)]], missingWorkers: 1 });
    expect(await (await api('auctions')).json()).toEqual({ auctions: [auction('a', 1)], missingWorkers: 1 });
    expect(await (await api('auctions?id=b')).json()).toEqual({ auctions: [], missingWorkers: 1 });
  });

  test('found by request id or by the id of the bid request', async () => {
    await start({ auctions: [[auction('a', 1, 'x y'), auction('b', 2, 'a'), auction('c', 3)]] });
    expect(await ids('auctions?id=a')).toEqual(['b', 'a']);
    expect(await ids('auctions?id=%20x%20y')).toEqual(['a']);
    expect(await ids('auctions?id=missing')).toEqual([]);
  });
});

describe('errors', () => {
  const row = (publisher: string | null, count: number, latestMs: number): ErrorCount => ({
    publisher,
    code: 'INVALID_FIELD_VALUE',
    field: 'tmax',
    count,
    latestRequestId: `r${latestMs}`,
    latestMs,
  });

  test('counts of workers are added, the latest request remains, the most frequent is first', async () => {
    await start({
      errors: [
        [row('a', 2, 9), row('b', 4, 1)],
        [row('a', 3, 5), row(null, 1, 1)],
      ],
    });
    expect(await (await api('errors')).json()).toEqual({ errors: [row('a', 5, 9), row('b', 4, 1), row(null, 1, 1)] });
  });

  test('at most 100', async () => {
    await start({ errors: [Array.from({ length: 101 }, (_, index) => row(`p${index}`, index + 1, 1))] });
    const { errors } = (await (await api('errors')).json()) as { errors: ErrorCount[] };
    expect([errors.length, errors[0]!.count, errors.at(-1)!.count]).toEqual([100, 101, 2]);
  });
});

describe('methods', () => {
  const send = (method: string, path: string) =>
    sendRaw(started.server, `${method} /console/api/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);

  test.each(['session', 'examples', 'live', 'history', 'auctions', 'errors'])('%s: GET and HEAD', async (path) => {
    await start();
    expect(await send('HEAD', path)).toMatchObject({ status: 200, text: '' });
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await send(method, path)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test.each(['login', 'try'])('%s: POST', async (path) => {
    await start();
    for (const method of ['GET', 'HEAD', 'PUT'])
      expect(await send(method, path)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  test.each(['', 'nothing', '__proto__', 'session/'])('unknown path "%s": 404', async (path) => {
    await start();
    expect((await send('GET', path)).status).toBe(404);
  });
});

describe('try', () => {
  const startEndpoint = async (): Promise<string[]> => {
    const received: string[] = [];
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      received.push(body);
      if (!body.includes('hang')) response.writeHead(200, { 'X-Request-Id': 'r1' }).end('{"id":"1"}');
    };
    endpoint = createServer((request, response) => void serve(request, response));
    endpoint.listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    const { port } = endpoint.address() as AddressInfo;
    await start({ endpoint: `http://127.0.0.1:${port}/openrtb2` });
    return received;
  };

  test('sends the text in test mode, and returns what the endpoint sent', async () => {
    const received = await startEndpoint();
    const result = (await (await tryIt('{"id":"1"}')).json()) as TryResult;
    expect(result).toMatchObject({ status: 200, body: '{"id":"1"}' });
    expect(received).toEqual(['{"id":"1","test": 1}']);
  });

  test('a text of 256 KiB and a little more reaches the endpoint; a longer one is 413', async () => {
    const received = await startEndpoint();
    const text = (bytes: number) => '"'.padEnd(bytes - 1, 'x') + '"';
    expect((await tryIt(text(266_240))).status).toBe(200);
    expect(received[0]).toHaveLength(266_240);
    const tooLong = await tryIt(text(266_241));
    expect([tooLong.status, await tooLong.json()]).toEqual([
      413,
      { error: 'the body must be at most 256 KiB (262144 bytes)' },
    ]);
    expect(received).toHaveLength(1);
  });

  test('an endless body is not read: the connection closes', async () => {
    const received = await startEndpoint();
    const { port } = started.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    socket.write('POST /console/api/try HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n');
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    const timer = setInterval(() => socket.write(chunk), 1);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    clearInterval(timer);
    expect(received).toEqual([]);
  });

  test('no more than 8 at a time', async () => {
    const received = await startEndpoint();
    const open = Array.from({ length: 8 }, () => tryIt('{"id":"hang"}').catch(() => {}));
    await until('all run', () => received.length === 8);
    expect((await tryIt('{}')).status).toBe(503);
    endpoint!.closeAllConnections();
    await Promise.all(open);
    expect((await tryIt('{}')).status).toBe(200);
  });
});

test('a request before the workers listen says that the exchange is starting', async () => {
  await start({ endpoint: '' });
  const response = await tryIt('{}');
  expect([response.status, await response.json()]).toEqual([503, { error: 'the exchange is still starting' }]);
});

describe('the live stream', () => {
  const watch = async () => {
    const response = await api('live');
    return { status: response.status, type: response.headers.get('content-type'), reader: response.body!.getReader() };
  };
  const connections = () =>
    new Promise<number>((resolve) => void started.server.getConnections((_error, count) => resolve(count)));

  test('has one event per sample; the history has the samples so far', async () => {
    await start();
    await started.feed.tick();
    const { status, type, reader } = await watch();
    expect([status, type]).toEqual([200, 'text/event-stream']);
    let text = '';
    const read = async () => {
      const { value } = await reader.read();
      text += Buffer.from(value ?? []).toString();
    };
    await read();
    await started.feed.tick();
    while (!text.includes('data:')) await read();
    expect(text).toBe('retry: 2000\n\ndata: {"timeMs":1,"padding":""}\n\n');
    expect(await (await api('history')).json()).toEqual({
      targetsMs: { p50: 50, p95: 100, p99: 200 },
      samples: [
        { timeMs: 1, padding: '' },
        { timeMs: 1, padding: '' },
      ],
    });
    await reader.cancel();
  });

  test(`has at most ${maxStreams} clients; one that leaves makes room`, async () => {
    await start();
    const watching = await Promise.all(Array.from({ length: maxStreams }, watch));
    expect((await api('live')).status).toBe(503);
    await watching[0]!.reader.cancel();
    await until('there is room', () => !started.feed.isFull);
    const { status, reader } = await watch();
    expect(status).toBe(200);
    for (const one of [...watching.slice(1), { reader }]) await one.reader.cancel();
  });

  test('cuts a client that does not read', async () => {
    await start({ padding: 1_048_576 });
    const { port } = started.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.pause();
    socket.write('GET /console/api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await until('it is connected', async () => (await connections()) === 1);
    let ticks = 0;
    await until('it is cut', async () => {
      await started.feed.tick();
      return ++ticks > 100 || (ticks > 1 && (await connections()) === 0);
    });
    expect(await connections()).toBe(0);
    socket.destroy();
  });

  test('a client that reads is not cut', async () => {
    await start({ padding: 1_048_576 });
    const { reader } = await watch();
    let bytes = 0;
    const reading = (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        bytes += value.length;
      }
    })();
    for (let sent = 1; sent <= 20; sent++) {
      await started.feed.tick();
      await until('it has read the sample', () => bytes > sent * 1_048_576);
    }
    await reader.cancel();
    await reading;
  });
});
