/** Why a worker cannot connect to Redis: each reason is reported once per outage, not once per attempt. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { RedisSettings } from '../../src/limits/redis-settings.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import { freePort, RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const password = 's3cret';

let server: RedisServer;
let limiter: RedisLimiter;
beforeEach(async () => {
  server = new RedisServer(await freePort(), ['--requirepass', password]);
  limiter = new RedisLimiter();
});
afterEach(async () => {
  limiter.close();
  await server.kill();
});

const settings = (): RedisSettings => ({ ...server.settings, password });

const refusals = () => limiter.errors.filter((error) => error.includes('ECONNREFUSED')).length;

test.each<[string, (outside: Redis) => Promise<Partial<RedisSettings>>]>([
  ['a wrong password and a database number', async () => ({ password: 'guess', database: 1 })],
  [
    'more clients than allowed',
    async (outside) => {
      await outside.config('SET', 'maxclients', '1');
      return { database: 1 };
    },
  ],
])('%s: no reason is reported twice, whatever their order', async (_fault, prepare) => {
  await server.start();
  const outside = server.client({ password });
  await limiter.start({ ...settings(), ...(await prepare(outside)) });
  const attempts = async () => {
    const counts = (await outside.info('stats')).matchAll(/(?:total_connections_received|rejected_connections):(\d+)/g);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = await attempts();
  await until('it has tried ten times more', async () => (await attempts()) >= before + 10);
  outside.disconnect();
  expect(limiter.errors.length).toBeGreaterThan(1);
  expect(limiter.errors).toEqual([...new Set(limiter.errors)]);
});

test('a second outage for the same reason is reported again', async () => {
  await server.start();
  await limiter.start(settings());
  for (const outage of [1, 2]) {
    await server.kill();
    await until('the reason is reported', () => refusals() === outage);
    await limiter.untilMode('degraded');
    await server.start();
    await limiter.untilMode('redis');
  }
});

test('an outage after a start before that of Redis is reported', async () => {
  const started = limiter.start(settings());
  await until('the reason is reported', () => refusals() === 1);
  await server.start();
  await started;
  await until('Redis is used', () => limiter.modes.at(-1) !== 'degraded');
  await server.kill();
  await until('the reason is reported again', () => refusals() === 2);
});
