/** The auction log of a running exchange: every sale is logged once, whatever happens to the destination. */
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { password, SentinelTopology } from '../support/redis-topologies.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { post } from '../support/traffic.ts';
import { until } from '../support/until.ts';

let folder: string;
let gavel: Gavel | undefined;
let redis: RedisServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-auction-log-'));
});
afterEach(async () => {
  if (gavel?.process.exitCode === null) await gavel.end();
  await redis?.kill();
  rmSync(folder, { recursive: true, force: true });
  gavel = redis = undefined;
});

const start = async (variables: Record<string, string>): Promise<Gavel> =>
  (gavel = await startGavel({ WORKERS: '2', LIMIT_IP: '1000000', LIMIT_PUBLISHER: '1000000', ...variables }));

/** Sends requests for two impressions; resolves with the keys of their sales. */
async function sell(count: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const responses = await Promise.all(Array.from({ length: count }, () => post(gavel!.endpoint, '203.0.113.7', agent)));
  agent.destroy();
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const impressions = fullRequest.imp.map(({ id }) => id);
  return responses.flatMap(({ headers }) => impressions.map((imp) => `${String(headers['x-request-id'])} ${imp}`));
}

async function dropped(): Promise<number> {
  const text = await (await fetch(`${gavel!.admin}/metrics`)).text();
  return Number(/^exchange_auction_log_dropped_total (\d+)$/m.exec(text)?.[1]);
}

type Line = Record<string, unknown>;
const parse = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const keysOf = (lines: readonly Line[]) =>
  lines.map(({ auctionId, impId }) => `${String(auctionId)} ${String(impId)}`).toSorted();

test('one line per impression sold, written before the exchange exits, without personal data', async () => {
  const path = join(folder, 'auctions.log');
  await start({ AUCTION_LOG: path });
  const sold = await sell(1);
  const test = { ...fullRequest, test: 1 };
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(gavel!.endpoint, { method: 'POST', headers, body: JSON.stringify(test) })).status).toBe(200);
  expect(await gavel!.end()).toBe(0);

  const text = readFileSync(path, 'utf8');
  const lines = parse(text);
  expect(keysOf(lines)).toEqual(sold);
  expect(lines[1]).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    auctionId: sold[1]!.split(' ')[0],
    requestId: 'request-1',
    publisherId: 'pub-1',
    siteDomain: 'rider.example',
    impId: 'imp-2',
    bidId: 'request-1:imp-2:shoes',
    seat: 'house',
    price: 1.25,
    currency: 'USD',
    type: 1,
    partners: ['house'],
    bids: 2,
  });
  for (const personal of [fullRequest.user.id, fullRequest.device.ip, '203.0.113.7'])
    expect(text).not.toContain(personal);
});

test('rotation by SIGUSR1 under load loses no line and writes none twice', async () => {
  const path = join(folder, 'auctions.log');
  const rotated = [1, 2, 3].map((number) => `${path}.${number}`);
  await start({ AUCTION_LOG: path });
  const keys = await sell(100);
  for (const name of rotated) {
    const sales = sell(100);
    await until('the file exists', () => readIfPresent(path) !== '');
    renameSync(path, name);
    gavel!.process.kill('SIGUSR1');
    keys.push(...(await sales), ...(await sell(50)));
  }
  expect(await gavel!.end()).toBe(0);
  const lines = [path, ...rotated].map((name) => parse(readIfPresent(name)));
  expect(lines.every(({ length }) => length > 0)).toBe(true);
  expect(keysOf(lines.flat())).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(1_100);
  expect(gavel!.output()).not.toContain('Debugger');
});

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('a full disk: serves, counts every entry as dropped and logs the reason', async () => {
  await start({ AUCTION_LOG: '/dev/full' });
  expect(await dropped()).toBe(0);
  await sell(30);
  await until('the entries are dropped', async () => (await dropped()) === 60);
  await sell(1);
  const reason = /"cause":"ENOSPC: [^"]*".*"msg":"auction log entries dropped"/;
  await until('the reason is logged', () => reason.test(gavel!.output()));
  expect(await gavel!.end()).toBe(0);
});

test('a Redis Stream: entries arrive; while Redis is away they are dropped; afterwards they arrive again', async () => {
  redis = await startRedis();
  await start({ AUCTION_LOG: redis.url });
  const logged = async (): Promise<Line[]> => {
    const client = redis!.client();
    const entries = await client.xrange('gavel:auctions', '-', '+');
    client.disconnect();
    return entries.map(([, [field, line]]) => {
      expect(field).toBe('auction');
      return JSON.parse(line!) as Line;
    });
  };
  const keys = await sell(40);
  await until('the entries arrive', async () => (await logged()).length === 80);
  expect(keysOf(await logged())).toEqual(keys.toSorted());

  await redis.kill();
  await sell(20);
  await until('the entries are dropped', async () => (await dropped()) === 40);

  await redis.start();
  let later: string[] = [];
  await until('entries arrive again', async () => {
    later = later.concat(await sell(2));
    return (await logged()).length > 0;
  });
  expect(await gavel!.end()).toBe(0);
  expect(keysOf(await logged()).every((key) => later.includes(key))).toBe(true);
});

test('a Redis Stream behind sentinels: after the master is killed, entries arrive at its successor', async () => {
  const topology = await new SentinelTopology().start();
  try {
    await start({ AUCTION_LOG: topology.url });
    const stored = async (): Promise<number> => {
      const client = (await topology.master()).client({ password });
      const length = await client.xlen('gavel:auctions');
      client.disconnect();
      return length;
    };
    const first = await sell(1);
    await until('the entries have arrived', async () => (await stored()) === first.length);
    const master = await topology.master();
    await master.kill();
    await until('there is a successor', async () => (await topology.master()) !== master);
    const before = await stored();
    await until('new entries arrive', async () => {
      await sell(1);
      return (await stored()) > before;
    });
  } finally {
    await gavel?.end();
    await topology.end();
  }
});
