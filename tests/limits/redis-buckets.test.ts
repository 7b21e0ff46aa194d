/** The Lua script in a real redis-server, compared with its model, the GCRA engine. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchBuilder } from '../../src/limits/batch-builder.ts';
import { type BucketRef, BucketResolver } from '../../src/limits/bucket-refs.ts';
import { epochAt } from '../../src/limits/bucket-state.ts';
import { BucketsUnavailable, isRejection, isUndecided } from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { batchOf } from '../support/bucket-batch.ts';
import { PatientBuckets } from '../support/patient-buckets.ts';
import { anyLeaseCall, undecidedCalls } from '../support/lease-calls.ts';
import { anyKeys, anyKeysWithOwn, anyLimits, anyReservedShare } from '../support/rate-limit-keys.ts';
import { numRuns } from '../support/num-runs.ts';
import { startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const server = await startRedis();
const outside = server.client();
const redis = connectToRedis(server.settings, () => {});
await untilConnected(redis, 30_000);
afterAll(async () => {
  outside.disconnect();
  redis.disconnect();
  await server.kill();
});
beforeEach(async () => void (await outside.flushall()));

const limits: Limits = { ip: 4, publisher: 5, global: 8 };
const keys = { ip: '203.0.113.1', publisher: 'pub-1' };

const hashes = ['gavel:{limits}:0', 'gavel:{limits}:1', 'gavel:{limits}:2'];
const rotationOf = (nowMicros: number): number => Math.floor(nowMicros / 2_000_000);
const dump = () => Promise.all(hashes.map((hash) => outside.hgetall(hash)));

test('the script decides random batches as the engine decides their requests one by one', async () => {
  const anyBatches = fc.array(fc.array(anyKeys, { maxLength: 30 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(anyLimits, anyBatches, async (randomLimits, batches) => {
      await outside.flushall();
      const buckets = new PatientBuckets(redis);
      const model = new GcraEngine();
      for (const batch of batches) {
        const { nowMicros, decisions } = await buckets.decideAll(batchOf(batch, randomLimits));
        const resolver = new BucketResolver(randomLimits);
        expect(decisions).toEqual(batch.map((keys) => model.decide(resolver.resolve(keys), nowMicros)));
      }
    }),
    { numRuns: 200 },
  );
});

test('the script decides single requests as the engine does, so batching changes no decision', async () => {
  await fc.assert(
    fc.asyncProperty(anyLimits, fc.array(anyKeys, { minLength: 1, maxLength: 20 }), async (randomLimits, requests) => {
      await outside.flushall();
      const buckets = new PatientBuckets(redis);
      const model = new GcraEngine();
      for (const keys of requests) {
        const { nowMicros, decisions } = await buckets.decideAll(batchOf([keys], randomLimits));
        const refs = new BucketResolver(randomLimits).resolve(keys);
        expect(decisions).toEqual([model.decide(refs, nowMicros)]);
      }
    }),
    { numRuns: 50 },
  );
});

test('the script decides requests with own limits and a reserved share as the engine does', async () => {
  const anyBatches = fc.array(fc.array(anyKeysWithOwn, { maxLength: 30 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyLimits, anyReservedShare, anyBatches, async (defaults, reservedShare, batches) => {
      await outside.flushall();
      const buckets = new PatientBuckets(redis);
      const randomLimits = { ...defaults, reservedShare };
      const resolver = new BucketResolver(randomLimits);
      const model = new GcraEngine();
      for (const batch of batches) {
        const { nowMicros, decisions } = await buckets.decideAll(batchOf(batch, randomLimits));
        expect(decisions).toEqual(batch.map((keys) => model.decide(resolver.resolve(keys), nowMicros)));
      }
    }),
    { numRuns: 100 },
  );
});

describe('leases in the script', () => {
  const leaseLimits: Limits = { ip: 20, publisher: 100, global: 200, reservedShare: 0.5 };
  const resolver = new BucketResolver(leaseLimits);

  test('are closed and granted as in the engine, over several epochs', async () => {
    let granted = 0;
    let undecided = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyLeaseCall, { minLength: 2, maxLength: 8 }), async (calls) => {
        await outside.flushall();
        const buckets = new PatientBuckets(redis);
        const model = new GcraEngine();
        const leases: { ref: BucketRef; epoch: number; tokens: number }[] = [];
        let lastEpoch = 0;
        for (const { requests, wanted, closes, sleepMs, pendingRequests, settled } of calls) {
          const builder = new BatchBuilder(leaseLimits.global);
          for (const keys of requests) builder.addRequest(resolver.resolve(keys));
          const refs = wanted.flatMap(([keys, tokens]) => resolver.resolve(keys).map((ref) => ({ ref, tokens })));
          for (const { ref, tokens } of refs) builder.addLease(ref, 0, 0, 0, tokens);
          for (const { lease, unspentPart } of closes) {
            const closed = leases[lease % leases.length];
            if (closed) {
              const { ref, epoch, tokens } = closed;
              builder.addLease(ref, epoch, tokens, Math.floor(tokens * unspentPart), 0);
            }
          }
          builder.batch.pendingRequests = pendingRequests;
          for (const { keys, epochsAgo, tokens, refunded } of settled) {
            for (const ref of resolver.resolve(keys)) {
              builder.addSettlement(ref, Math.max(lastEpoch - epochsAgo, 0), tokens, refunded);
            }
          }
          const decided = await buckets.decideAll(builder.batch);
          lastEpoch = epochAt(decided.nowMicros);
          expect(decided).toEqual(model.decideAll(builder.batch, decided.nowMicros));
          undecided += decided.decisions.filter(isUndecided).length;
          for (const [at, { ref }] of refs.entries()) {
            const tokens = decided.grants[2 * at]!;
            if (tokens > 0) leases.push({ ref, epoch: epochAt(decided.nowMicros), tokens });
            granted += tokens;
          }
          await sleep(sleepMs);
        }
      }),
      { numRuns: numRuns(60), endOnFailure: true, examples: [[undecidedCalls]] }, // smaller ones would take minutes to find
    );
    expect(granted).toBeGreaterThan(100);
    expect(undecided).toBeGreaterThan(0);
  }, 180_000);

  test('are readable in the hash: the TAT, the epoch, the tokens of this epoch and of the one before', async () => {
    const builder = new BatchBuilder(200);
    builder.addLease({ kind: 'global', name: 'g', limit: 200 }, 0, 0, 0, 7);
    const { nowMicros, grants } = await new PatientBuckets(redis).decideAll(builder.batch);
    expect(grants).toEqual([7, 35_000]);
    const [hash] = await outside.keys('*');
    expect(await outside.hget(hash!, 'g')).toBe(`${nowMicros + 35_000}:${epochAt(nowMicros)}:7:0`);
  });

  test('of pending charges too: their tokens follow, and are part of the tokens on lease', async () => {
    const buckets = new PatientBuckets(redis);
    const batch = { ...batchOf([keys, keys], leaseLimits), pendingRequests: 1 };
    const { nowMicros } = await buckets.decideAll(batch);
    const [hash] = await outside.keys('*');
    expect(await outside.hget(hash!, 'g')).toBe(`${nowMicros + 10_000}:${epochAt(nowMicros)}:1:0:1:0`);
    const builder = new BatchBuilder(200);
    builder.addSettlement({ kind: 'global', name: 'g', limit: 200 }, epochAt(nowMicros), 1, 0);
    await buckets.decideAll(builder.batch);
    expect(await outside.hget(hash!, 'g')).toMatch(/^\d{16}$/);
  });

  test('of an epoch that is still to come, left by a clock that was set back, end as those of now', async () => {
    const buckets = new PatientBuckets(redis);
    const nowMicros = (await buckets.decideAll(batchOf([], leaseLimits))).nowMicros;
    const tat = nowMicros + 3_600_000_000;
    // Only in the current hash: a rotation during the test must not find it again.
    await outside.hset(hashes[rotationOf(nowMicros) % 3]!, 'g', `${tat}:${epochAt(tat)}:3:2`);
    const first = await buckets.decideAll(batchOf([keys], leaseLimits));
    expect(isUndecided(first.decisions[0]!)).toBe(true);
    const epoch = async () => epochAt((await buckets.decideAll(batchOf([], leaseLimits))).nowMicros);
    await until('two epochs have begun', async () => (await epoch()) >= epochAt(first.nowMicros) + 2);
    const [second] = (await buckets.decideAll(batchOf([keys], leaseLimits))).decisions;
    expect(isUndecided(second!)).toBe(false);
  });
});

test('a batch with more requests than tokens: exactly as many are admitted as there are tokens', async () => {
  const batch = Array.from({ length: 63 }, () => keys);
  const { decisions } = await new PatientBuckets(redis).decideAll(batchOf(batch, limits));
  expect(decisions.filter((decision) => !isRejection(decision))).toHaveLength(4);
});

test('a bucket is one integer in a hash that expires within seconds', async () => {
  await new PatientBuckets(redis).decideAll(batchOf([keys, keys], limits));
  const [hash, ...others] = await outside.keys('*');
  expect(others).toEqual([]);
  const buckets = await outside.hgetall(hash!);
  expect(Object.keys(buckets).toSorted()).toEqual(['g', 'i:203.0.113.1', 'p:pub-1']);
  for (const tat of Object.values(buckets)) expect(tat).toMatch(/^\d{16}$/);
  const ttlMs = await outside.pttl(hash!);
  expect(ttlMs).toBeGreaterThan(0);
  expect(ttlMs).toBeLessThanOrEqual(5_000);
});

test('buckets survive a rotation of the hashes, and the oldest hash is deleted', async () => {
  const slow: Limits = { ip: 1, publisher: 2, global: 3 };
  const buckets = new PatientBuckets(redis);
  const model = new GcraEngine();
  const rotations = new Set<number>();
  let sent = 0;
  while (rotations.size < 4) {
    const batch = [{ ip: `203.0.113.${sent++ % 7}`, publisher: 'pub-1' }];
    const { nowMicros, decisions } = await buckets.decideAll(batchOf(batch, slow));
    expect(decisions).toEqual(batch.map((keys) => model.decide(new BucketResolver(slow).resolve(keys), nowMicros)));
    if (isRejection(decisions[0]!) || rotations.has(rotationOf(nowMicros))) continue;
    rotations.add(rotationOf(nowMicros));
    expect((await outside.keys('*')).length).toBeLessThanOrEqual(2);
  }
});

test('a rejection writes nothing', async () => {
  const buckets = new PatientBuckets(redis);
  const one = { ...limits, ip: 1 };
  await buckets.decideAll(batchOf([keys], one));
  const before = await dump();
  expect((await buckets.decideAll(batchOf([keys, keys], one))).decisions.every(isRejection)).toBe(true);
  expect(await dump()).toEqual(before);
});

describe('a bucket with a time one hour ahead, left by a clock that was set back', () => {
  const ip = 'i:203.0.113.1';
  const inAnHour = () => (Date.now() + 3_600_000) * 1000;

  test.each(hashes)('is reset to empty if its hash is read: %s', async (writtenHash) => {
    await outside.hset(writtenHash, ip, inAnHour());
    const { nowMicros, decisions } = await new PatientBuckets(redis).decideAll(batchOf([keys], limits));
    const rotation = rotationOf(nowMicros);
    const isRead =
      writtenHash === hashes[rotation % 3] ||
      (writtenHash === hashes[(rotation + 2) % 3] && nowMicros % 2_000_000 < 1e6);
    expect(isRejection(decisions[0]!)).toBe(isRead);
    const tat = nowMicros + (isRead ? 1_000_000 : 250_000);
    expect(await outside.hget(hashes[rotation % 3]!, ip)).toBe(String(tat));
  });
});

test('the script is loaded again after SCRIPT FLUSH', async () => {
  const buckets = new PatientBuckets(redis);
  await buckets.decideAll(batchOf([keys], limits));
  await outside.script('FLUSH');
  expect((await buckets.decideAll(batchOf([keys], limits))).decisions).toHaveLength(1);
});

test('a long publisher id makes a short bucket name', async () => {
  await new PatientBuckets(redis).decideAll(batchOf([{ ip: '203.0.113.1', publisher: 'x'.repeat(100_000) }], limits));
  const names = (await dump()).flatMap((buckets) => Object.keys(buckets));
  expect(names).toHaveLength(3);
  for (const name of names) expect(name.length).toBeLessThan(100);
});

test('a script that could not be sent is sent by the next call', async () => {
  await outside.script('FLUSH');
  const buckets = new PatientBuckets(redis);
  await outside.call('ACL', 'SETUSER', 'default', '-eval');
  await expect(buckets.decideAll(batchOf([keys], limits))).rejects.toThrow(BucketsUnavailable);
  await outside.call('ACL', 'SETUSER', 'default', '+@all');
  expect((await buckets.decideAll(batchOf([keys], limits))).decisions).toHaveLength(1);
});

test('an error of Redis is reported as unavailable, with its cause', async () => {
  await outside.set(hashes[0]!, 'not a hash');
  await outside.set(hashes[1]!, 'not a hash');
  await outside.set(hashes[2]!, 'not a hash');
  const error = await new PatientBuckets(redis).decideAll(batchOf([keys], limits)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BucketsUnavailable);
  expect((error as Error).cause).toMatchObject({ message: expect.stringContaining('WRONGTYPE') });
});

test('a probe decides, so that it writes what expires, and fails where a decision would fail', async () => {
  const buckets = new PatientBuckets(redis);
  await buckets.probe();
  const [written] = await outside.keys('gavel:{limits}:*');
  expect(await outside.pttl(written!)).toBeGreaterThan(0);
  await outside.call('ACL', 'SETUSER', 'default', '-evalsha');
  await expect(buckets.probe()).rejects.toThrow(BucketsUnavailable);
  await outside.call('ACL', 'SETUSER', 'default', '+evalsha');
  await outside.config('SET', 'min-replicas-to-write', 1);
  await expect(buckets.probe()).rejects.toThrow(BucketsUnavailable);
  await expect(buckets.decideAll(batchOf([keys], limits))).rejects.toThrow(BucketsUnavailable);
  await outside.config('SET', 'min-replicas-to-write', 0);
});
