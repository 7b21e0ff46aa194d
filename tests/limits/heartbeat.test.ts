/** How machines count each other's workers through a real Redis. */
import { afterAll, expect, test } from '@jest/globals';
import { Heartbeat } from '../../src/limits/heartbeat.ts';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { startRedis } from '../support/redis-server.ts';

const server = await startRedis();
afterAll(() => server.kill());

let now = 0;

async function startMachine(workers: number, expectedTotal = workers) {
  const redis = connectToRedis(server.settings, () => {});
  await untilConnected(redis, 30_000);
  const totals: number[] = [];
  return {
    heartbeat: new Heartbeat(
      redis,
      workers,
      expectedTotal,
      (total) => totals.push(total),
      () => now,
    ),
    totals,
  };
}

test('each machine counts the workers of all machines; a lower count applies after a delay', async () => {
  const first = await startMachine(2);
  const second = await startMachine(3);
  await first.heartbeat.beat();
  await second.heartbeat.beat();
  await first.heartbeat.beat();
  expect(first.totals).toEqual([5]);
  expect(second.totals).toEqual([5]);

  await second.heartbeat.close();
  await first.heartbeat.beat();
  now += 4_999;
  await first.heartbeat.beat();
  expect(first.totals).toEqual([5]); // a Redis that has just lost its data would report the same
  now += 1;
  await first.heartbeat.beat();
  expect(first.totals).toEqual([5, 2]);

  const outside = server.client();
  for (const key of await outside.keys('*')) expect(await outside.pttl(key)).toBeGreaterThan(0);
  outside.disconnect();
  await first.heartbeat.close();
});

test('a machine whose entry has expired is not counted', async () => {
  const outside = server.client();
  await outside.hset(
    'gavel:{limits}:machines',
    'expired',
    `8 ${Date.now() - 1}`,
    'current',
    `4 ${Date.now() + 60_000}`,
  );
  const { heartbeat, totals } = await startMachine(2);
  await heartbeat.beat();
  expect(totals).toEqual([6]);
  expect(await outside.hexists('gavel:{limits}:machines', 'expired')).toBe(0);
  outside.disconnect();
  await heartbeat.close();
});

test('the expected total is assumed until the workers were counted for long enough', async () => {
  const { heartbeat, totals } = await startMachine(2, 100);
  await heartbeat.beat();
  expect(totals).toEqual([]);
  now += 5_000;
  await heartbeat.beat();
  expect(totals.at(-1)).toBeLessThan(100);
  await heartbeat.close();
});

test('while Redis is unavailable the last total stays valid', async () => {
  const { heartbeat, totals } = await startMachine(2);
  await heartbeat.beat();
  const before = [...totals];
  await server.kill();
  await heartbeat.beat();
  expect(totals).toEqual(before);
  await heartbeat.close();
});

test('a defect in the callback rejects the beat instead of being swallowed', async () => {
  await server.start();
  const redis = connectToRedis(server.settings, () => {});
  await untilConnected(redis, 30_000);
  const outside = server.client();
  await outside.hset('gavel:{limits}:machines', 'other', `4 ${Date.now() + 60_000}`);
  const onWorkers = () => {
    throw new Error('a defect');
  };
  const heartbeat = new Heartbeat(redis, 2, 2, onWorkers, () => now);
  await expect(heartbeat.beat()).rejects.toThrow('a defect');
  outside.disconnect();
  await heartbeat.close();
});
