/** A worker's rate limiter on a real Redis that is killed, stopped, restarted and flushed. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { clocks } from '../../src/limits/clocks.ts';
import type { Limits, RateLimitResult } from '../../src/limits/rate-limiter.ts';
import { RedisBuckets } from '../../src/limits/redis-buckets.ts';
import { connectToRedis, type RedisClient, untilConnected } from '../../src/limits/redis-connection.ts';
import { type LimitMode, SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';
import { PatientBuckets } from '../support/patient-buckets.ts';
import { freePort, RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const limits: Limits = { ip: 40, publisher: 100, global: 1_000 };
const keys = { ip: '203.0.113.1', publisher: 'pub-1' };

let server: RedisServer;
const limiters: SharedRateLimiter[] = [];
const connections: RedisClient[] = [];

beforeEach(async () => {
  server = await startRedis();
});
afterEach(async () => {
  for (const limiter of limiters.splice(0)) limiter.close();
  for (const redis of connections.splice(0)) redis.disconnect();
  server.signal('SIGCONT');
  await server.kill();
});

/** Its probe always succeeds, so that no worker degrades. */
class UnprobedBuckets extends PatientBuckets {
  override probe(): Promise<void> {
    return Promise.resolve();
  }
}

async function connect(
  workers = 2,
  Buckets = RedisBuckets,
  nowMs = clocks.nowMs,
  maxConnectMs = 30_000,
): Promise<{ limiter: SharedRateLimiter; modes: LimitMode[] }> {
  const redis = connectToRedis(server.settings, () => {});
  await untilConnected(redis, maxConnectMs);
  const modes: LimitMode[] = [];
  const limiter = new SharedRateLimiter({
    buckets: new Buckets(redis),
    mode: 'redis',
    limits,
    workers,
    clocks: { ...clocks, nowMs },
    onMode: (mode) => modes.push(mode),
    onCall: () => {},
  });
  connections.push(redis);
  limiters.push(limiter);
  return { limiter, modes };
}

async function decideMany(limiter: SharedRateLimiter, times: number): Promise<RateLimitResult[]> {
  return Promise.all(Array.from({ length: times }, () => limiter.decide(keys)));
}

const untilMode = (modes: LimitMode[], mode: LimitMode) => until(`mode ${mode}`, () => modes.at(-1) === mode);

const admittedIn = (results: RateLimitResult[]) => results.filter(({ admitted }) => admitted).length;

/** As many as the address has tokens, and those that it gets meanwhile. */
async function expectOneBurst(decide: () => Promise<RateLimitResult[]>): Promise<void> {
  const startedAtMs = performance.now();
  const admitted = admittedIn(await decide());
  const refilled = Math.ceil((limits.ip * (performance.now() - startedAtMs)) / 1000);
  expect(admitted).toBeGreaterThanOrEqual(limits.ip);
  expect(admitted).toBeLessThanOrEqual(limits.ip + refilled);
}

test('several workers share one set of buckets', async () => {
  const workers = await Promise.all([1, 2, 3].map(() => connect(3, UnprobedBuckets)));
  await expectOneBurst(async () => (await Promise.all(workers.map(({ limiter }) => decideMany(limiter, 100)))).flat());
  expect(workers.flatMap(({ modes }) => modes)).toEqual([]);
});

test('a worker whose clock is an hour ahead changes nothing', async () => {
  const [correct, ahead] = await Promise.all([
    connect(2, UnprobedBuckets),
    connect(2, UnprobedBuckets, () => clocks.nowMs() + 3_600_000),
  ]);
  await expectOneBurst(async () => [
    ...(await decideMany(ahead.limiter, 60)),
    ...(await decideMany(correct.limiter, 60)),
  ]);
});

test.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
  ['killed', () => server.kill(), () => server.start()],
  ['stopped', () => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
])(
  'Redis %s: every request gets a result, the per-worker limits apply, and Redis is used again once it is back',
  async (_fault, fail, repair) => {
    const { limiter, modes } = await connect(2);
    await decideMany(limiter, 5);

    await fail();
    const [first] = await decideMany(limiter, 1);
    expect(first).toMatchObject({ limit: 20 });
    const startedAtMs = clocks.nowMs();
    const rest = await decideMany(limiter, 100);
    const refilled = Math.ceil((20 * (clocks.nowMs() - startedAtMs)) / 1000);
    expect(admittedIn(rest)).toBeLessThanOrEqual(20 + refilled);
    expect(admittedIn(rest)).toBeGreaterThanOrEqual(19);
    expect(modes).toEqual(['degraded']);

    await repair();
    await untilMode(modes, 'redis');
    expect(await limiter.decide({ ip: '198.51.100.1', publisher: undefined })).toMatchObject({
      limit: 40,
      remaining: 39,
    });
  },
);

test('a call that timed out is not sent again, so it charges at most once', async () => {
  const { limiter, modes } = await connect();
  await decideMany(limiter, 1);
  server.signal('SIGSTOP');
  await decideMany(limiter, 3);
  expect(modes).toEqual(['degraded']);
  const outside = server.client();
  server.signal('SIGCONT');
  const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await outside.info('commandstats'))![1];
  outside.disconnect();
  expect(Number(calls)).toBeLessThanOrEqual(3); // the first, the one that timed out, at most one more
  await untilMode(modes, 'redis');
});

test('a flushed Redis admits at most one burst more', async () => {
  const { limiter, modes } = await connect(2, UnprobedBuckets);
  await expectOneBurst(() => decideMany(limiter, 80));
  const outside = server.client();
  await outside.flushall();
  await outside.script('FLUSH');
  outside.disconnect();
  const fresh = await connect(2, UnprobedBuckets); // with an empty over-limit cache
  await expectOneBurst(() => decideMany(fresh.limiter, 80));
  expect([...modes, ...fresh.modes]).toEqual([]);
});

test('without Redis at startup the per-worker limits apply; Redis is used once it is up', async () => {
  await server.kill();
  server = new RedisServer(await freePort());
  const { limiter, modes } = await connect(4, RedisBuckets, clocks.nowMs, 100);
  expect(await limiter.decide(keys)).toMatchObject({ admitted: true, limit: 10 });
  await server.start();
  await untilMode(modes, 'redis');
  expect(modes).toEqual(['degraded', 'redis']);
});

test('a master that becomes a replica: the worker degrades, connects again, and uses it once it is a master again', async () => {
  const { limiter, modes } = await connect();
  await decideMany(limiter, 1);
  const outside = server.client();
  await outside.replicaof('127.0.0.1', 1);
  await decideMany(limiter, 1);
  expect(modes).toEqual(['degraded']);
  const connections = /total_connections_received:(\d+)/;
  const connectionsOf = async () => Number(connections.exec(await outside.info('stats'))![1]);
  const before = await connectionsOf();
  await until('the worker has connected again', async () => (await connectionsOf()) > before);
  await outside.replicaof('NO', 'ONE');
  await untilMode(modes, 'redis');
  outside.disconnect();
});
