/** The Lua script against its model: a real redis-server decides as the engine does. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GcraEngine } from '../../src/limits/gcra-engine.ts';
import { bucketKeys } from '../../src/limits/bucket-keys.ts';
import { isRefusal } from '../../src/limits/decision.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';
import { RedisBuckets } from '../../src/limits/redis-buckets.ts';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { anyClaim, anyLimits } from '../support/rate-limit-keys.ts';
import { startRedis } from '../support/redis-server.ts';

const server = await startRedis();
const outside = server.client();
const redis = connectToRedis(server.url, () => {});
await untilConnected(redis, 1_000);
afterAll(async () => {
  outside.disconnect();
  redis.disconnect();
  await server.kill();
});
beforeEach(async () => void (await outside.flushall()));

const limits: Limits = { ip: 4, publisher: 5, global: 8 };
const claim = { ip: '203.0.113.1', publisher: 'pub-1' };

const hashes = ['gavel:{limits}:0', 'gavel:{limits}:1', 'gavel:{limits}:2'];
const turnOf = (nowMicros: number): number => Math.floor(nowMicros / 2_000_000);
const dump = () => Promise.all(hashes.map((hash) => outside.hgetall(hash)));

test('random batches get the decisions of the engine, which takes their members one by one', async () => {
  const batches = fc.array(fc.array(anyClaim, { maxLength: 30 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(anyLimits, batches, async (some, all) => {
      await outside.flushall();
      const buckets = new RedisBuckets(redis, some);
      const model = new GcraEngine(some);
      for (const batch of all) {
        const { nowMicros, decisions } = await buckets.decideAll(batch);
        expect(decisions).toEqual(batch.map((one) => model.decide(one, nowMicros)));
      }
    }),
    { numRuns: 200 },
  );
});

test('single claims get the decisions of the engine too, so that batching changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyLimits, fc.array(anyClaim, { minLength: 1, maxLength: 20 }), async (some, claims) => {
      await outside.flushall();
      const buckets = new RedisBuckets(redis, some);
      const model = new GcraEngine(some);
      for (const one of claims) {
        const { nowMicros, decisions } = await buckets.decideAll([one]);
        expect(decisions).toEqual([model.decide(one, nowMicros)]);
      }
    }),
    { numRuns: 50 },
  );
});

test('many more claims than tokens at one moment: exactly the tokens are given out', async () => {
  const claims = Array.from({ length: 63 }, () => claim);
  const { decisions } = await new RedisBuckets(redis, limits).decideAll(claims);
  expect(decisions.filter((decision) => !isRefusal(decision))).toHaveLength(4);
});

test('a bucket is one integer in a hash that goes away within seconds', async () => {
  await new RedisBuckets(redis, limits).decideAll([claim, claim]);
  const [hash, ...others] = await outside.keys('*');
  expect(others).toEqual([]);
  const buckets = await outside.hgetall(hash!);
  const { ip, publisher, global } = bucketKeys(claim);
  expect(Object.keys(buckets).toSorted()).toEqual([global, ip, publisher]);
  for (const fullAt of Object.values(buckets)) expect(fullAt).toMatch(/^\d{16}$/);
  const ttlMs = await outside.pttl(hash!);
  expect(ttlMs).toBeGreaterThan(0);
  expect(ttlMs).toBeLessThanOrEqual(5_000);
});

test('buckets go on from turn to turn, and what two turns did not need is gone', async () => {
  const slow: Limits = { ip: 1, publisher: 2, global: 3 };
  const buckets = new RedisBuckets(redis, slow);
  const model = new GcraEngine(slow);
  const turns = new Set<number>();
  let asked = 0;
  while (turns.size < 4) {
    const batch = [{ ip: `203.0.113.${asked++ % 7}`, publisher: 'pub-1' }];
    const { nowMicros, decisions } = await buckets.decideAll(batch);
    expect(decisions).toEqual(batch.map((one) => model.decide(one, nowMicros)));
    if (isRefusal(decisions[0]!) || turns.has(turnOf(nowMicros))) continue;
    turns.add(turnOf(nowMicros));
    expect((await outside.keys('*')).length).toBeLessThanOrEqual(2);
  }
}, 20_000);

test('a refusal writes nothing', async () => {
  const buckets = new RedisBuckets(redis, { ...limits, ip: 1 });
  await buckets.decideAll([claim]);
  const before = await dump();
  expect((await buckets.decideAll([claim, claim])).decisions.every(isRefusal)).toBe(true);
  expect(await dump()).toEqual(before);
});

describe('a bucket from a future hour, left by a clock that was set back', () => {
  const { ip } = bucketKeys(claim);
  const inAnHour = () => (Date.now() + 3_600_000) * 1000;

  test.each(hashes)('is brought back to empty where it stands in a hash that is read: %s', async (planted) => {
    await outside.hset(planted, ip, inAnHour());
    const { nowMicros, decisions } = await new RedisBuckets(redis, limits).decideAll([claim]);
    const turn = turnOf(nowMicros);
    const isRead = planted === hashes[turn % 3] || (planted === hashes[(turn + 2) % 3] && nowMicros % 2_000_000 < 1e6);
    expect(isRefusal(decisions[0]!)).toBe(isRead);
    const fullAt = nowMicros + (isRead ? 1_000_000 : 250_000);
    expect(await outside.hget(hashes[turn % 3]!, ip)).toBe(String(fullAt));
  });
});

test('the script is sent again after SCRIPT FLUSH', async () => {
  const buckets = new RedisBuckets(redis, limits);
  await buckets.decideAll([claim]);
  await outside.script('FLUSH');
  expect((await buckets.decideAll([claim])).decisions).toHaveLength(1);
});

test('a publisher id of any length makes a short key', async () => {
  await new RedisBuckets(redis, limits).decideAll([{ ip: '203.0.113.1', publisher: 'x'.repeat(100_000) }]);
  const keys = (await dump()).flatMap((buckets) => Object.keys(buckets));
  expect(keys).toHaveLength(3);
  for (const key of keys) expect(key.length).toBeLessThan(100);
});
