/** The limits that the publishers file gives to a request: the keys that the rate limiter is called with. */
import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import type { RateLimiter, RateLimitKeys } from '../../src/limits/rate-limiter.ts';
import { readPublishers } from '../../src/config/publishers-file.ts';
import { directoryOf } from '../../src/publishers/publisher-directory.ts';
import { fullRequest } from '../support/full-request.ts';
import { startExchange } from '../support/run-case.ts';
import { sendCase } from '../support/send-case.ts';
import { sendRaw } from '../support/send-raw.ts';
import type { TestExchange } from '../support/test-exchange.ts';

const key = 'key-of-pub-42';
const apiKeys = [`sha256:${createHash('sha256').update(key).digest('hex')}`];
const settings = {
  publishers: [{ id: 'pub-42', limit: 5_000, apiKeys }, { id: 'open' }],
  addresses: [
    { range: '198.51.100.0/24', limit: 2_000 },
    { range: '198.51.100.7/32', exempt: true },
    { range: '2001:db8::/32', limit: 300 },
  ],
};

const exchanges: TestExchange[] = [];
afterEach(() => {
  for (const { server } of exchanges.splice(0)) server.close();
});

/** Admits all, and records the keys that it is called with. */
function recordingLimiter() {
  const atHead: RateLimitKeys[] = [];
  const decided: RateLimitKeys[] = [];
  const limiter: RateLimiter = {
    cachedRejection: (keys) => void atHead.push(structuredClone(keys)),
    decide: (keys) => {
      decided.push(structuredClone(keys));
      return Promise.resolve({ admitted: true, scope: 'ip', limit: 5, remaining: 4, resetAtMs: 0 });
    },
  };
  return { limiter, atHead, decided };
}

/** Sends requests through the whole app and records what the limiter is called with. */
async function recordKeys(reservedShare: number) {
  const { limiter, atHead, decided } = recordingLimiter();
  const result = readPublishers(JSON.stringify({ ...settings, reservedShare }), 'file', {
    partners: undefined,
    dollarsPer: {},
  });
  if ('problems' in result) throw new Error(result.problems.join());
  const exchange = await startExchange({}, { limiter, publishers: directoryOf(result.publishers) });
  exchanges.push(exchange);
  return async (publisher: string | undefined, headers: Record<string, string> = {}, more: object = {}) => {
    const site = publisher === undefined ? {} : { publisher: { id: publisher } };
    const { status } = await sendCase(exchange.server, { headers, body: { ...fullRequest, site }, ...more });
    return { status, atHead: atHead.pop(), keys: decided.pop(), isLast: decided.length === 0 };
  };
}

const authorization = `Bearer ${key}`;
const ip = '127.0.0.1';

test('a publisher of the file has its own limit and the reserved share', async () => {
  const send = await recordKeys(0.5);
  expect(await send('pub-42', { authorization })).toMatchObject({
    status: 200,
    keys: { ip, publisher: 'pub-42', overrides: { publisher: 5_000, reserved: true } },
    isLast: true,
  });
  const open = await send('open');
  expect(open.keys).toEqual({ ip, publisher: 'open', overrides: { reserved: true } });
});

test('a request that may not send its publisher id is charged to its address and to the unreserved bucket, once', async () => {
  const send = await recordKeys(0.5);
  const { status, keys, isLast } = await send('pub-42', { authorization: 'Bearer wrong' });
  expect(status).toBe(401);
  expect(keys).toEqual({ ip, publisher: undefined, overrides: {} });
  expect(isLast).toBe(true);
});

test('all others keep the defaults', async () => {
  const send = await recordKeys(0.5);
  expect((await send('stranger')).keys).toEqual({ ip, publisher: 'stranger' });
  expect((await send(undefined)).keys).toEqual({ ip, publisher: undefined });
  const withoutShare = await recordKeys(0);
  expect((await withoutShare('stranger')).keys).toEqual({ ip, publisher: 'stranger' });
});

test('a body that is not JSON and another path do not get the reserved share', async () => {
  const send = await recordKeys(0.5);
  const notJson = await send(undefined, {}, { body: undefined, rawBody: '{' });
  expect(notJson.status).toBe(400);
  expect(notJson.keys).toEqual({ ip, publisher: undefined });
  const elsewhere = await send('pub-42', { authorization }, { path: '/elsewhere' });
  expect(elsewhere.status).toBe(404);
  expect(elsewhere.keys).toEqual({ ip, publisher: undefined });
});

test('bytes that are not HTTP are charged to the bucket that the file gives their address', async () => {
  const { limiter, decided } = recordingLimiter();
  const exchange = await startExchange(
    { publishers: { addresses: [{ range: '127.0.0.0/8', limit: 7 }] } },
    { limiter },
  );
  exchanges.push(exchange);
  const { status, headers } = await sendRaw(exchange.server, 'not HTTP\r\n\r\n');
  expect(status).toBe(400);
  expect(Date.parse(headers['date']!)).not.toBeNaN();
  expect(decided).toEqual([{ ip, publisher: undefined, overrides: { ip: 7 } }]);
});

test.each([
  ['198.51.100.1', '198.51.100.1', 2_000],
  ['::ffff:198.51.100.1', '198.51.100.1', 2_000],
  ['198.51.100.7', '198.51.100.7', 'exempt'],
  ['2001:db8:1::1', '2001:db8:1::/56', 300],
])('the address %s has the limit of the narrowest range', async (address, ip, limit) => {
  const send = await recordKeys(0);
  const headers = { 'x-forwarded-for': address };
  const stranger = await send('stranger', headers);
  expect(stranger.atHead).toEqual({ ip, publisher: undefined, overrides: { ip: limit } });
  expect(stranger.keys).toEqual({ ip, publisher: 'stranger', overrides: { ip: limit } });
  expect((await send('pub-42', headers)).keys).toEqual({ ip, publisher: undefined, overrides: { ip: limit } });
  expect((await send('pub-42', { ...headers, authorization })).keys).toEqual({
    ip,
    publisher: 'pub-42',
    overrides: { ip: limit, publisher: 5_000, reserved: true },
  });
});

test('an address of no range keeps the default', async () => {
  const send = await recordKeys(0);
  const { keys } = await send('stranger', { 'x-forwarded-for': '198.51.101.0' });
  expect(keys).toEqual({ ip: '198.51.101.0', publisher: 'stranger' });
});

test('without a publishers file the keys have no limits of their own', async () => {
  const { limiter, decided } = recordingLimiter();
  const exchange = await startExchange({}, { limiter });
  exchanges.push(exchange);
  await sendCase(exchange.server, { headers: { authorization }, body: fullRequest });
  expect(decided).toHaveLength(1);
  expect(decided[0]).not.toHaveProperty('overrides');
});
