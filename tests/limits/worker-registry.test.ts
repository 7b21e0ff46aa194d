/** How machines count each other's workers through a real Redis. */
import { afterAll, expect, test } from '@jest/globals';
import { WorkerRegistry } from '../../src/limits/worker-registry.ts';
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
    registry: new WorkerRegistry(
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
  await first.registry.refresh();
  await second.registry.refresh();
  await first.registry.refresh();
  expect(first.totals).toEqual([5]);
  expect(second.totals).toEqual([5]);

  await second.registry.close();
  await first.registry.refresh();
  now += 4_999;
  await first.registry.refresh();
  expect(first.totals).toEqual([5]); // a Redis that has just lost its data would report the same
  now += 1;
  await first.registry.refresh();
  expect(first.totals).toEqual([5, 2]);

  const outside = server.client();
  for (const key of await outside.keys('*')) expect(await outside.pttl(key)).toBeGreaterThan(0);
  outside.disconnect();
  await first.registry.close();
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
  const { registry, totals } = await startMachine(2);
  await registry.refresh();
  expect(totals).toEqual([6]);
  expect(await outside.hexists('gavel:{limits}:machines', 'expired')).toBe(0);
  outside.disconnect();
  await registry.close();
});

test('the expected total is assumed until the workers were counted for long enough', async () => {
  const { registry, totals } = await startMachine(2, 100);
  await registry.refresh();
  expect(totals).toEqual([]);
  now += 5_000;
  await registry.refresh();
  expect(totals.at(-1)).toBeLessThan(100);
  await registry.close();
});

test('while Redis is unavailable the last total stays valid', async () => {
  const { registry, totals } = await startMachine(2);
  await registry.refresh();
  const before = [...totals];
  await server.kill();
  await registry.refresh();
  expect(totals).toEqual(before);
  await registry.close();
});

test('a defect in the callback rejects the refresh instead of being swallowed', async () => {
  await server.start();
  const redis = connectToRedis(server.settings, () => {});
  await untilConnected(redis, 30_000);
  const outside = server.client();
  await outside.hset('gavel:{limits}:machines', 'other', `4 ${Date.now() + 60_000}`);
  const onWorkers = () => {
    throw new Error('a defect');
  };
  const registry = new WorkerRegistry(redis, 2, 2, onWorkers, () => now);
  await expect(registry.refresh()).rejects.toThrow('a defect');
  outside.disconnect();
  await registry.close();
});
