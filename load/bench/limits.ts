/** The cost of a rate-limit decision: our store with Redis and in degraded mode, and rate-limit-redis's own, called three times in sequence, interleaved. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisStore } from 'rate-limit-redis';
import { RateLimitStore } from '../../src/http/rate-limit.ts';
import { clocks } from '../../src/limits/clocks.ts';
import type { RateLimitKeys, Limits } from '../../src/limits/rate-limiter.ts';
import { RedisBuckets } from '../../src/limits/redis-buckets.ts';
import { connectToRedis, type RedisClient, untilConnected } from '../../src/limits/redis-connection.ts';
import { type LimitMode, SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';
import { table, writeResults } from '../results.ts';
import { redisCpuMicros } from './machine/counters.ts';
import { startBenchRedis } from './machine/start.ts';
import { goal, goalsHead, median, ratio } from './statistics.ts';
import { addressAt, clients, publisherAt, publisherId } from './traffic/requests.ts';

const rounds = 6;
const decisionsPerRound = 12_000;
const concurrencies = [1, 8, 64];
/** The leases of one contender are returned before the next is measured. */
const untilReturnedMs = 250;
const highLimits: Limits = { ip: 1_000_000, publisher: 1_000_000, global: 1_000_000 };

const server = await startBenchRedis();
const redis = connectToRedis(server.settings, () => {});
const outside = server.client();
await untilConnected(redis, 1_000);
/** Every call to it fails. */
const unreachable = connectToRedis(server.settings, () => {});
unreachable.disconnect();

const keysAt = (i: number): RateLimitKeys => ({ ip: addressAt(i), publisher: publisherId(publisherAt(i)) });

type Decide = (keys: RateLimitKeys) => Promise<unknown>;

async function ours(client: RedisClient, expectedMode: LimitMode): Promise<Decide> {
  let mode: LimitMode = 'redis';
  const expectMode = (cause?: unknown) => {
    if (mode !== expectedMode) throw new Error(`unexpected limit mode ${mode}`, { cause });
  };
  const onMode = (changed: LimitMode, cause?: unknown) => {
    mode = changed;
    expectMode(cause);
  };
  const buckets = new RedisBuckets(client);
  const limiter = new SharedRateLimiter({
    buckets,
    mode: 'redis',
    limits: highLimits,
    workers: 1,
    clocks,
    onMode,
    onCall: () => {},
  });
  await limiter.probe();
  expectMode();
  const store = new RateLimitStore(limiter);
  let requests = 0;
  return (keys) =>
    store.increment(store.enqueue({ requestId: String(requests++), rateLimitKeys: keys, rateLimit: undefined }));
}

async function stock(): Promise<Decide> {
  const stores = await Promise.all(
    ['ip:', 'publisher:', 'global:'].map(async (prefix) => {
      const store = new RedisStore({
        prefix,
        sendCommand: (command: string, ...args: string[]) => redis.call(command, ...args) as Promise<number>,
      });
      await store.init({ windowMs: 1_000 } as Parameters<RedisStore['init']>[0]);
      return store;
    }),
  );
  const [ip, publisher, global] = stores as [RedisStore, RedisStore, RedisStore];
  return async (keys) => {
    await ip.increment(keys.ip);
    await publisher.increment(keys.publisher!);
    await global.increment('all');
  };
}

interface Cost {
  perSecond: number;
  redisMicros: number;
  workerMicros: number;
  bothMicros: number;
}

async function measure(decide: Decide, inFlight: number): Promise<Cost> {
  const redisBefore = await redisCpuMicros(outside);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let next = 0;
  const client = async () => {
    while (next < decisionsPerRound) await decide(keysAt(next++));
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const workerMicros = (user + system) / decisionsPerRound;
  const redisMicros = ((await redisCpuMicros(outside)) - redisBefore) / decisionsPerRound;
  return {
    perSecond: decisionsPerRound / seconds,
    redisMicros,
    workerMicros,
    bothMicros: redisMicros + workerMicros,
  };
}

/** Few enough that leases cover their addresses, too. */
const fewAddresses = 100;

function fromFewAddresses(decide: Decide): Decide {
  let decided = 0;
  return (keys) => decide({ ...keys, ip: addressAt(decided++ % fewAddresses) });
}

const contenders = {
  stock: { name: 'rate-limit-redis, three times in sequence', decide: await stock() },
  redis: { name: 'this store', decide: await ours(redis, 'redis') },
  degraded: { name: 'this store, degraded', decide: await ours(unreachable, 'degraded') },
  redisFew: {
    name: `this store, ${fewAddresses} addresses`,
    decide: fromFewAddresses(await ours(redis, 'redis')),
  },
  degradedFew: {
    name: `this store, ${fewAddresses} addresses, degraded`,
    decide: fromFewAddresses(await ours(unreachable, 'degraded')),
  },
};
type Name = keyof typeof contenders;
const names = Object.keys(contenders) as Name[];

for (const name of names) await measure(contenders[name].decide, 64); // warm up

const rows: string[][] = [];
const goals: string[][] = [];
for (const inFlight of concurrencies) {
  const costs: Record<Name, Cost[]> = { stock: [], redis: [], degraded: [], redisFew: [], degradedFew: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      await sleep(untilReturnedMs);
      costs[name].push(await measure(contenders[name].decide, inFlight));
    }
  }
  const all = (name: Name, metric: keyof Cost): number[] => costs[name].map((cost) => cost[metric]);
  for (const name of names) {
    rows.push([
      String(inFlight),
      contenders[name].name,
      median(all(name, 'perSecond')).toFixed(0),
      median(all(name, 'redisMicros')).toFixed(1),
      median(all(name, 'workerMicros')).toFixed(1),
    ]);
  }
  const timesCheaper = (metric: keyof Cost) => ratio(all('stock', metric), all('redis', metric)).toFixed(1);
  rows.push([
    String(inFlight),
    '**times cheaper**',
    ratio(all('redis', 'perSecond'), all('stock', 'perSecond')).toFixed(1),
    timesCheaper('redisMicros'),
    `${timesCheaper('workerMicros')} (both together ${timesCheaper('bothMicros')})`,
  ]);
  for (const [degraded, withRedis, addresses] of [
    ['degraded', 'redis', clients.addresses.toLocaleString('en')],
    ['degradedFew', 'redisFew', fewAddresses],
  ] as const) {
    goals.push(
      goal(
        `worker CPU, degraded ÷ with Redis, ${inFlight} in flight, ${addresses} addresses`,
        ratio(all(degraded, 'workerMicros'), all(withRedis, 'workerMicros')),
        '≤',
        1,
      ),
    );
  }
}

writeResults('Limits: what a decision costs', 'make bench BENCH=limits', [
  `Median of ${rounds} interleaved rounds of ${decisionsPerRound} decisions, 2,000 addresses and 50 publishers, all admitted. Times cheaper, and the ratios of the goals: the median of the ratios per round. Degraded: Redis cannot be reached, and the worker decides by its share of the limits; Redis then only removes what the others left there.`,
  '',
  ...table(
    ['in flight', 'store', 'decisions per second', 'Redis CPU µs per decision', 'worker CPU µs per decision'],
    rows,
  ),
  '',
  ...table(goalsHead, goals),
]);
process.exit(0);
