/** The HTTP client for partners, against real sockets. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CallPartner, createCallPartner } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { hangs, type Script, type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';
import { startRawPartner } from '../support/raw-partner.ts';
import { until } from '../support/until.ts';
import { callOf } from './fake-call-partner.ts';
import { turnsAtOnce } from '../support/partner-environment.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

async function start(script: Script): Promise<ScriptedPartner> {
  const partner = await startPartner(script);
  started.push(partner);
  return partner;
}

const sendJson =
  (body: object): Script =>
  (response) =>
    send(response, JSON.stringify(body));
const call = (callPartner: CallPartner, url: string, cancellation = new Cancellation()) =>
  callPartner(callOf(url), cancellation, false);

const turnsBy = (turn: () => Promise<boolean>) => ({ turn, isLate: () => false });

describe('a response of more than 32 KiB', () => {
  const large = { text: 'x'.repeat(33_000) };

  test('is parsed when it has its turn', async () => {
    const partner = await start(sendJson(large));
    const turn = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    const response = call(createCallPartner(turnsBy(() => (asked.resolve(), turn.promise))), partner.url);
    await asked.promise;
    turn.resolve(true);
    expect((await response).body).toEqual(large);
  });

  test('is skipped, at no cost to the partner, if it has no turn in time or the auction ends before', async () => {
    const partner = await start(sendJson(large));
    expect(await call(createCallPartner(turnsBy(() => Promise.resolve(false))), partner.url)).toMatchObject({
      result: 'skipped',
    });
    const cancellation = new Cancellation();
    const asked = Promise.withResolvers<void>();
    const never = createCallPartner(turnsBy(() => (asked.resolve(), new Promise(() => {}))));
    const response = call(never, partner.url, cancellation);
    await asked.promise;
    cancellation.cancel('timeout');
    expect(await response).toMatchObject({ result: 'skipped' });
  });

  test('takes a turn; a smaller one takes none', async () => {
    const turns: string[] = [];
    const callPartner = createCallPartner(turnsBy(() => Promise.resolve(turns.push('turn') > 0)));
    await call(callPartner, (await start(sendJson({ text: 'x'.repeat(32_000) }))).url);
    expect(turns).toEqual([]);
    await call(callPartner, (await start(sendJson(large))).url);
    expect(turns).toEqual(['turn']);
  });

  const sendGzip =
    (bytes: Buffer): Script =>
    (response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bytes);

  test('takes a turn if it is compressed, too', async () => {
    const turns: string[] = [];
    const callPartner = createCallPartner(turnsBy(() => Promise.resolve(turns.push('turn') > 0)));
    await call(callPartner, (await start(sendGzip(gzipSync('{}')))).url);
    expect(turns).toEqual([]);
    const { url } = await start(sendGzip(gzipSync(JSON.stringify(large))));
    expect((await call(callPartner, url)).body).toEqual(large);
    expect(turns).toEqual(['turn']);
  });

  test('is invalid if it is compressed and says that it is smaller', async () => {
    const bytes = gzipSync(JSON.stringify(large));
    bytes.writeUInt32LE(1_000, bytes.length - 4);
    const callPartner = createCallPartner(turnsBy(() => Promise.reject(new Error('takes no turn'))));
    expect(await call(callPartner, (await start(sendGzip(bytes))).url)).toMatchObject({ result: 'invalid' });
  });
});

describe('the host of a call', () => {
  test('is used: one partner may have several hosts', async () => {
    const [first, second] = [await start(sendJson({ host: 1 })), await start(sendJson({ host: 2 }))];
    const callPartner = createCallPartner(turnsAtOnce);
    expect((await call(callPartner, first.url)).body).toEqual({ host: 1 });
    expect((await call(callPartner, `${second.url}?q=1`)).body).toEqual({ host: 2 });
    expect(first.calls).toHaveLength(1);
    expect(second.calls.map(({ url }) => url)).toEqual(['/bid?q=1']);
  });

  test('is limited to 16 different ones per partner; more are a defect of the adapter', async () => {
    const callPartner = createCallPartner(turnsAtOnce);
    const results = [];
    for (let host = 1; host <= 16; host++) results.push((await call(callPartner, `http://127.0.0.${host}:9/`)).result);
    expect(new Set(results)).toEqual(new Set(['error']));
    await expect(call(callPartner, 'http://127.0.0.17:9/')).rejects.toThrow('more than 16 hosts');
  });
});

describe('cancellation', () => {
  test.each(['late', 'timeout'] as const)('as %s ends a call in flight and closes its connection', async (reason) => {
    const partner = await start(hangs);
    const cancellation = new Cancellation();
    const response = call(createCallPartner(turnsAtOnce), partner.url, cancellation);
    await until('the call has arrived', () => partner.calls.length === 1);
    cancellation.cancel(reason);
    expect(await response).toEqual({ result: reason });
  });

  test('before the call ends it immediately', async () => {
    const partner = await start(sendJson({}));
    const cancellation = new Cancellation();
    cancellation.cancel('late');
    expect(await call(createCallPartner(turnsAtOnce), partner.url, cancellation)).toEqual({ result: 'late' });
  });
});

test('an abandoned call ends with its response, whose body is not parsed, and its connection is used again', async () => {
  const abandoned = Promise.withResolvers<void>();
  const partner = await start((response) => {
    void abandoned.promise.then(() => send(response, `not JSON ${'x'.repeat(33_000)}`));
  });
  const turns: string[] = [];
  const handshakes: number[] = [];
  const callPartner = createCallPartner(
    turnsBy(() => Promise.resolve(turns.push('turn') > 0)),
    {
      onHandshake: (durationMs) => handshakes.push(durationMs),
    },
  );
  const cancellation = new Cancellation();
  const response = call(callPartner, partner.url, cancellation);
  await until('the call has arrived', () => partner.calls.length === 1);
  cancellation.abandon(10_000);
  abandoned.resolve();
  expect(await response).toEqual({ result: 'bid' });
  expect(turns).toEqual([]);
  cancellation.cancel('late');
  await nextTurn();
  partner.play(sendJson({}));
  expect((await call(callPartner, partner.url)).result).toBe('bid');
  expect(handshakes).toHaveLength(1);
});

test('calls beyond 256 in flight are skipped until others have ended', async () => {
  const partner = await start(hangs);
  const callPartner = createCallPartner(turnsAtOnce);
  const cancellation = new Cancellation();
  const inFlight = Array.from({ length: 256 }, () => call(callPartner, partner.url, cancellation));
  expect(await call(callPartner, partner.url)).toMatchObject({ result: 'skipped' });
  cancellation.cancel('late');
  await Promise.all(inFlight);
  partner.play(sendJson({}));
  await until('connections are free', async () => (await call(callPartner, partner.url)).result === 'bid');
});

test('the second and further calls of an auction leave half of the connections to others', async () => {
  const partner = await start(hangs);
  const callPartner = createCallPartner(turnsAtOnce);
  const cancellation = new Cancellation();
  const first = callOf(partner.url);
  const group = { first, counted: new Set<never>() };
  first.group = group;
  const callsOfAuction = [first, ...Array.from({ length: 200 }, () => ({ ...callOf(partner.url), group }))];
  const inFlight = callsOfAuction.map((one) => callPartner(one, cancellation, false));
  expect(await inFlight[128]).toMatchObject({ result: 'skipped' });
  const ofOthers = Array.from({ length: 128 }, () => call(callPartner, partner.url, cancellation));
  expect(await call(callPartner, partner.url)).toMatchObject({ result: 'skipped' });
  cancellation.cancel('late');
  const results = (await Promise.all([...inFlight, ...ofOthers])).map(({ result }) => result);
  expect(results.filter((result) => result === 'late')).toHaveLength(256);
});

describe('a response below HTTP', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  const end = '2\r\n{}\r\n0\r\n\r\n';
  const plain = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  const informational = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const blanks = (size: number) => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
  const header = (count: number) => 'a: b\r\n'.repeat(count);

  async function resultOf(response: string): Promise<string> {
    const { url, server } = await startRawPartner((socket) => socket.end(response));
    const { result } = await call(createCallPartner(turnsAtOnce), url);
    server.close();
    return result;
  }

  test.each([
    ['ten informational responses', informational.repeat(10) + plain],
    ['a thousand chunks of one byte', chunked + blanks(1).repeat(999) + end],
    ['a megabyte in chunks of 64 bytes', chunked + blanks(64).repeat(16_383) + end],
    ['headers of 10 KB', plain.replace('content', `${header(1_600)}content`)],
    ['trailers of 10 KB', `${chunked}2\r\n{}\r\n0\r\n${header(1_600)}\r\n`],
  ])('may have %s', async (_what, response) => {
    expect(await resultOf(response)).toBe('bid');
  });

  test.each([
    ['eleven informational responses', informational.repeat(11) + plain],
    ['two thousand chunks of one byte', chunked + blanks(1).repeat(2_000) + end],
    ['a megabyte in chunks of 32 bytes', chunked + blanks(32).repeat(32_000) + end],
    ['a long reason', plain.replace('OK', 'x'.repeat(1_000_000))],
    ['a chunk with a long extension', `${chunked}1;${'x'.repeat(1_000_000)}\r\n \r\n${end}`],
    ['long headers', plain.replace('content', `${header(100_000)}content`)],
    ['long trailers', `${chunked}2\r\n{}\r\n0\r\n${header(100_000)}\r\n`],
    ['empty lines before it', '\r\n'.repeat(500_000) + plain],
  ])('is invalid with %s', async (_what, response) => {
    expect(await resultOf(response)).toBe('invalid');
  });

  test('is bounded by itself, not by what its connection carried before', async () => {
    const partner = await start((response) =>
      send(response, JSON.stringify({ text: 'x'.repeat(10_000) }), { filler: 'x'.repeat(10_000) }),
    );
    const callPartner = createCallPartner(turnsAtOnce);
    for (let count = 0; count < 20; count++) expect((await call(callPartner, partner.url)).result).toBe('bid');
  });
});
