/** How machines learn of each other's workers, in a real Redis. */
import { afterAll, expect, test } from '@jest/globals';
import { Heartbeat } from '../../src/limits/heartbeat.ts';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { startRedis } from '../support/redis-server.ts';

const server = await startRedis();
afterAll(() => server.kill());

let now = 0;

async function machine(workers: number) {
  const redis = connectToRedis(server.url, () => {});
  await untilConnected(redis, 1_000);
  const totals: number[] = [];
  return {
    heartbeat: new Heartbeat(
      redis,
      workers,
      (total) => totals.push(total),
      () => now,
    ),
    totals,
  };
}

test('each machine counts the workers of all, and fewer a while after one says goodbye', async () => {
  const first = await machine(2);
  const second = await machine(3);
  await first.heartbeat.beat();
  await second.heartbeat.beat();
  await first.heartbeat.beat();
  expect(first.totals).toEqual([5]);
  expect(second.totals).toEqual([5]);

  await second.heartbeat.close();
  await first.heartbeat.beat();
  now += 4_999;
  await first.heartbeat.beat();
  expect(first.totals).toEqual([5]); // a Redis that has just lost its data would say the same
  now += 1;
  await first.heartbeat.beat();
  expect(first.totals).toEqual([5, 2]);

  const outside = server.client();
  for (const key of await outside.keys('*')) expect(await outside.pttl(key)).toBeGreaterThan(0);
  outside.disconnect();
  await first.heartbeat.close();
});

test('a machine that was not heard of in time is not counted', async () => {
  const outside = server.client();
  await outside.hset('gavel:{limits}:machines', 'gone', `8 ${Date.now() - 1}`, 'there', `4 ${Date.now() + 60_000}`);
  const { heartbeat, totals } = await machine(2);
  await heartbeat.beat();
  expect(totals).toEqual([6]);
  expect(await outside.hexists('gavel:{limits}:machines', 'gone')).toBe(0);
  outside.disconnect();
  await heartbeat.close();
});

test('while Redis is away the last number stands', async () => {
  const { heartbeat, totals } = await machine(2);
  await heartbeat.beat();
  const known = [...totals];
  await server.kill();
  await heartbeat.beat();
  expect(totals).toEqual(known);
  await heartbeat.close();
});
