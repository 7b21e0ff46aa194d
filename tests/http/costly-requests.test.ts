/** Bodies of more than 32 KiB and requests of costly clients wait for their turn. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { emptyDynamicBlocks } from '../../load/audit/values/gzip-blocks.ts';
import type { AppParts } from '../../src/http/app.ts';
import type { Turns } from '../../src/pacing/pacer.ts';
import { fullRequest } from '../support/full-request.ts';
import { unlimitedAdmission } from '../support/partner-environment.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import { sendRaw } from '../support/send-raw.ts';
import type { ExchangeOptions, TestExchange, TestParts } from '../support/test-exchange.ts';

let exchange: TestExchange;
afterEach(() => {
  exchange.server.close();
});

/** A pacer whose turns the test decides. No client is late. */
const pacerOf = (turn: Turns['turn'], isLate: Turns['isLate'] = () => false): Turns => ({ turn, isLate });

const start = async (options: ExchangeOptions, parts: TestParts) => (exchange = await startExchange(options, parts));

const namesOf = ({ outcomes }: TestExchange): string[] =>
  outcomes.map((outcome) => ('error' in outcome ? outcome.error.name : outcome.kind));

/** `send` resolves when the exchange is done with the request, after `leave` was called. */
function leavingClient() {
  let client: Socket | undefined;
  let left: Promise<unknown> = Promise.resolve();
  return {
    async leave(): Promise<void> {
      client?.destroy();
      await left;
    },
    async send(body: string): Promise<void> {
      const before = exchange.outcomes.length;
      left = once(exchange.server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
      const head = ['POST /openrtb2 HTTP/1.1', 'Host: a', 'Content-Type: application/json'];
      const length = Buffer.byteLength(body);
      client = connect((exchange.server.address() as AddressInfo).port, '127.0.0.1');
      client.write(`${[...head, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n${body}`);
      while (exchange.outcomes.length === before) await setImmediate(); // it is charged first
    },
  };
}

describe('a body of more than 32 KiB', () => {
  const large = { body: fullRequest, padTo: 33_000 };
  const gzipped = { ...large, gzip: true, headers: { 'Content-Encoding': 'gzip' } };

  test.each([
    ['that has no turn in time', large, 1],
    ['that has no turn in time, compressed to less', gzipped, 1],
    ['whose validation has no turn in time', large, 2],
  ])('%s gets 503, and its tokens are gone', async (_what, request, refused) => {
    let turns = 0;
    const pacer = pacerOf(() => Promise.resolve(++turns < refused));
    await start({ limits: { ip: 1 } }, { pacer });
    const response = await sendCase(exchange.server, request);
    expect(response.status).toBe(503);
    expect(namesOf(exchange)).toEqual(['server.costly']);
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 429 });
  });

  test('is not read if earlier ones of its client wait in vain; smaller bodies are', async () => {
    let turns = 0;
    const pacer = pacerOf(
      () => Promise.resolve(++turns > 0),
      (owner) => owner === '127.0.0.1',
    );
    await start({ limits: { ip: 2 } }, { pacer });
    const unfinished = { ...large, headers: { 'Content-Length': '33001' } }; // one byte is missing
    expect(await sendCase(exchange.server, unfinished)).toMatchObject({ status: 503 });
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 200 });
    expect({ turns, outcomes: namesOf(exchange) }).toEqual({ turns: 0, outcomes: ['server.costly', 'bid'] });
    expect(await sendCase(exchange.server, { body: fullRequest })).toMatchObject({ status: 429 });
  });

  test('in chunks is read up to 32 KiB if earlier ones of its client wait in vain', async () => {
    const pacer = pacerOf(
      () => Promise.resolve(true),
      (owner) => owner === '127.0.0.1',
    );
    await start({}, { pacer });
    const head = ['POST /openrtb2 HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Connection: close'];
    const inChunks = (bytes: number) =>
      `${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${JSON.stringify(fullRequest).padEnd(bytes)}\r\n`;
    const small = sendRaw(exchange.server, `${inChunks(32 * 1024)}0\r\n\r\n`);
    const unfinished = sendRaw(exchange.server, inChunks(32 * 1024 + 1));
    expect(await unfinished).toMatchObject({ status: 503, headers: { connection: 'close' } });
    expect(await small).toMatchObject({ status: 200 });
    expect(namesOf(exchange).toSorted()).toEqual(['bid', 'server.costly']);
  });

  test.each([
    ['to be parsed', 1],
    ['to be validated', 2],
  ])('whose client leaves while it waits %s is dropped', async (_what, leftAtTurn) => {
    let turns = 0;
    let handled = 0;
    const client = leavingClient();
    const turn = async () => {
      if (++turns === leftAtTurn) await client.leave();
      return true;
    };
    const handleBidRequest: AppParts['handleBidRequest'] = () => {
      handled++;
      return Promise.resolve({ kind: 'no_bid' });
    };
    await start({}, { pacer: pacerOf(turn), handleBidRequest });
    await client.send(JSON.stringify({ ...fullRequest, ext: { filler: 'a'.repeat(33_000) } }));
    expect({ turns, handled, outcomes: namesOf(exchange) }).toEqual({
      turns: leftAtTurn,
      handled: 0,
      outcomes: ['http.clientClosed'],
    });
  });

  test('takes turns with others; smaller bodies take none', async () => {
    const owners: string[] = [];
    const pacer = pacerOf((owner: string) => Promise.resolve(owners.push(owner) > 0));
    await start({}, { pacer });
    expect(await sendCase(exchange.server, { body: fullRequest, padTo: 32 * 1024 })).toMatchObject({ status: 200 });
    expect(owners).toEqual([]);
    expect(await sendCase(exchange.server, large)).toMatchObject({ status: 200 });
    expect(owners).toEqual(['127.0.0.1', '127.0.0.1']);
  });
});

describe('a compressed body', () => {
  const gzipOf = (bytes: Buffer) => ({
    rawBodyBase64: bytes.toString('base64'),
    headers: { 'Content-Encoding': 'gzip' },
  });

  test('that is longer than its content takes turns', async () => {
    const owners: string[] = [];
    const pacer = pacerOf((owner: string) => Promise.resolve(owners.push(owner) > 0));
    await start({}, { pacer });
    expect(await sendCase(exchange.server, gzipOf(emptyDynamicBlocks(20_000)))).toMatchObject({ status: 400 });
    expect(owners).toEqual(['127.0.0.1']);
    const ordinary = gzipOf(gzipSync(JSON.stringify(fullRequest)));
    expect(await sendCase(exchange.server, ordinary)).toMatchObject({ status: 200 });
    expect(owners).toHaveLength(1);
  });

  test('is rejected above 200 KiB, before it is decompressed', async () => {
    await start({}, {});
    const response = await sendCase(exchange.server, gzipOf(emptyDynamicBlocks(206_000)));
    expect(response.status).toBe(413);
    expect(JSON.stringify(response)).toContain('bytes compressed, of which there may be 204800');
  });
});

describe('a client whose requests take long', () => {
  const ordinary = { body: fullRequest };
  const taking = (costMs: () => number): AppParts['handleBidRequest'] => {
    return () => {
      const before = process.threadCpuUsage();
      const usedMs = () => {
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      };
      while (usedMs() < costMs());
      return Promise.resolve({ kind: 'no_bid' });
    };
  };
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await sendCase(exchange.server, ordinary);
  };

  test('waits for its turn after some of them, and no longer once they are quick', async () => {
    let turns = 0;
    const pacer = pacerOf(() => Promise.resolve(++turns > 0));
    let costMs = 10;
    await start({}, { pacer, handleBidRequest: taking(() => costMs) });
    await send(6);
    expect(turns).toBe(0);
    await send(1);
    expect(turns).toBeGreaterThan(0);

    costMs = 0;
    await send(100);
    const before = turns;
    await send(1);
    expect(turns).toBe(before);
  });

  const interrupted: AppParts['handleBidRequest'] = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10); // elapsed time without CPU time
    return Promise.resolve({ kind: 'no_bid' });
  };

  test('has used no more than the time of a costly request if it was only interrupted', async () => {
    const admission = unlimitedAdmission();
    await start({}, { admission, handleBidRequest: interrupted });
    await send(1);
    expect(admission.usage.of('127.0.0.1', admission.clock.nowMs())).toBeLessThan(5);
  });

  test('does not wait if it was only interrupted for so long', async () => {
    let turns = 0;
    const pacer = pacerOf(() => Promise.resolve(++turns > 0));
    await start({}, { pacer, handleBidRequest: interrupted });
    await send(20);
    expect(turns).toBe(0);
  });

  test('waits for its turn also if it never waits for a response', async () => {
    let turns = 0;
    const pacer = pacerOf(() => Promise.resolve(++turns > 0));
    const burn = taking(() => 10);
    const client = leavingClient();
    const body = JSON.stringify(fullRequest);
    const handleBidRequest: AppParts['handleBidRequest'] = async (...parts) => {
      const outcome = await burn(...parts);
      await client.leave();
      return outcome;
    };
    await start({}, { pacer, handleBidRequest });
    for (let sent = 0; sent < 6; sent++) await client.send(body);
    expect(turns).toBe(0);
    await client.send(body);
    expect(turns).toBeGreaterThan(0);
    expect(namesOf(exchange)).toEqual(Array<string>(7).fill('http.clientClosed'));
  });

  test('gets 503 if it has no turn in time', async () => {
    const pacer = pacerOf(() => Promise.resolve(false));
    await start({}, { pacer, handleBidRequest: taking(() => 10) });
    await send(6);
    expect(await sendCase(exchange.server, ordinary)).toMatchObject({ status: 503 });
    expect(namesOf(exchange)).toEqual([...Array<string>(6).fill('no_bid'), 'server.costly']);
  });

  test('gets 503 without a wait while earlier requests of it wait in vain', async () => {
    let turns = 0;
    const pacer = pacerOf(
      () => Promise.resolve(++turns > 0),
      () => true,
    );
    await start({}, { pacer, handleBidRequest: taking(() => 10) });
    await send(6 + 1);
    expect({ turns, last: namesOf(exchange).at(-1) }).toEqual({ turns: 0, last: 'server.costly' });
  });

  test('is no cheaper for the requests that get 503', async () => {
    const pacer = pacerOf(() => Promise.resolve(false));
    await start({}, { pacer, handleBidRequest: taking(() => 10) });
    await send(6 + 100);
    expect(namesOf(exchange).slice(6)).toEqual(Array<string>(100).fill('server.costly'));
  });
});
