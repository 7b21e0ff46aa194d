/** The Lua script against its model: a real redis-server decides as the engine does. */
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BucketEngine } from '../../src/limits/bucket-engine.ts';
import { bucketKeys, globalKey } from '../../src/limits/bucket-keys.ts';
import { isRefusal } from '../../src/limits/decision.ts';
import type { Limits } from '../../src/limits/limiter.ts';
import { RedisBuckets } from '../../src/limits/redis-buckets.ts';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { anyClaim, anyLimits } from '../support/claims.ts';
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

test('random batches get the decisions of the engine, which takes their members one by one', async () => {
  const batches = fc.array(fc.array(anyClaim, { maxLength: 30 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(anyLimits, batches, async (some, all) => {
      await outside.flushall();
      const buckets = new RedisBuckets(redis, some);
      const model = new BucketEngine(some);
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
      const model = new BucketEngine(some);
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

test('every key is one integer and goes away when its bucket is full', async () => {
  await new RedisBuckets(redis, limits).decideAll([claim, claim]);
  const keys = await outside.keys('*');
  const { ip, publisher, global } = bucketKeys(claim);
  expect(keys.sort()).toEqual([global, ip, publisher]);
  for (const key of keys) {
    expect(await outside.get(key)).toMatch(/^\d{16}$/);
    const ttlMs = await outside.pttl(key);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(1_000);
  }
});

test('a refusal writes nothing', async () => {
  const buckets = new RedisBuckets(redis, { ...limits, ip: 1 });
  await buckets.decideAll([claim]);
  const before = await outside.get(globalKey);
  expect((await buckets.decideAll([claim, claim])).decisions.every(isRefusal)).toBe(true);
  expect(await outside.get(globalKey)).toBe(before);
});

test('a bucket from a future hour is brought back to empty', async () => {
  const { ip } = bucketKeys(claim);
  await outside.set(ip, (Date.now() + 3_600_000) * 1000, 'PX', 3_600_000);
  const { decisions } = await new RedisBuckets(redis, limits).decideAll([claim]);
  expect(isRefusal(decisions[0]!)).toBe(true);
  expect(await outside.pttl(ip)).toBeLessThanOrEqual(1_000);
});

test('the script is sent again after SCRIPT FLUSH', async () => {
  const buckets = new RedisBuckets(redis, limits);
  await buckets.decideAll([claim]);
  await outside.script('FLUSH');
  expect((await buckets.decideAll([claim])).decisions).toHaveLength(1);
});

test('a publisher id of any length makes a short key', async () => {
  await new RedisBuckets(redis, limits).decideAll([{ ip: '203.0.113.1', publisher: 'x'.repeat(100_000) }]);
  for (const key of await outside.keys('*')) expect(key.length).toBeLessThan(100);
});
