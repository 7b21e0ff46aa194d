/** A database that cannot be selected: nothing is written to database 0, and the reason is reported. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { parseRedisUrl, type RedisSettings } from '../../src/limits/redis-settings.ts';
import { WorkerRegistry } from '../../src/limits/worker-registry.ts';
import { AuctionLogStream } from '../../src/observe/auction-log-stream.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

/** All that docs/limits.md lists for one server, without SELECT. */
const commands = '+evalsha +eval +time +hmget +hset +hdel +hgetall +pexpire +pexpireat +unlink +xadd'.split(' ');

let server: RedisServer;
let outside: Redis;
let running: RedisLimiter | undefined;
beforeEach(async () => {
  server = await startRedis();
  outside = server.client();
});
afterEach(async () => {
  running?.close();
  running = undefined;
  outside.disconnect();
  await server.kill();
});

const start = async (settings: RedisSettings): Promise<RedisLimiter> =>
  (running = await new RedisLimiter().start(settings));

const outOfRange = (): RedisSettings => ({ ...server.settings, database: 99 });
const asUser = (path: string): RedisSettings => parseRedisUrl(`redis://gavel:pw@127.0.0.1:${server.port}${path}`)!;
const addUser = () => outside.call('ACL', 'SETUSER', 'gavel', 'on', '>pw', '~gavel:*', ...commands);
const keysIn = async (database: number): Promise<number> => {
  await outside.select(database);
  return outside.dbsize();
};

test('a database number that is out of range: degraded, with the reason, and no bucket in database 0', async () => {
  const limiter = await start(outOfRange());
  expect(limiter.modes).toEqual(['degraded']);
  expect(limiter.errors).toEqual(['SELECT 99: ERR DB index is out of range']);
  expect(await keysIn(0)).toBe(0);
});

test('a user who may not SELECT: degraded, with the reason, and the database is used once it is allowed', async () => {
  await addUser();
  const limiter = await start(asUser('/1'));
  expect(limiter.modes).toEqual(['degraded']);
  expect(limiter.errors).toEqual([expect.stringMatching(/^SELECT 1: NOPERM .*'select'/)]);
  await outside.call('ACL', 'SETUSER', 'gavel', '+select');
  await limiter.untilMode('redis');
  await limiter.expectExact('203.0.113.1');
  expect(await keysIn(1)).toBeGreaterThan(0);
  expect(await keysIn(0)).toBe(0);
});

test('without a database number the user needs no SELECT', async () => {
  await addUser();
  const limiter = await start(asUser(''));
  await limiter.expectExact('203.0.113.1');
  expect(limiter.modes).toEqual([]);
});

test('neither the registry nor the auction log uses database 0 instead', async () => {
  const errors: string[] = [];
  const redis = connectToRedis(outOfRange(), ({ message }) => errors.push(message));
  let isReady = false;
  redis.on('ready', () => (isReady = true));
  await untilConnected(redis, 300);
  const totals: number[] = [];
  const registry = new WorkerRegistry(
    redis,
    2,
    1,
    (total) => totals.push(total),
    () => 0,
  );
  const log = new AuctionLogStream(redis, 1_000);
  await until('it has connected three times', async () => {
    await registry.refresh();
    expect(await log.write(['{}\n'])).toEqual({ reason: 'not connected to Redis' });
    return errors.length >= 3;
  });
  await registry.close();
  expect(totals).toEqual([]);
  expect(isReady).toBe(false);
  expect(await keysIn(0)).toBe(0);
});
