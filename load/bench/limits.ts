/** The cost of a rate-limit decision: our store and rate-limit-redis's own, called three times in sequence, interleaved. */
import { RedisStore } from 'rate-limit-redis';
import { RateLimitStore } from '../../src/http/rate-limit.ts';
import { clocks } from '../../src/limits/clocks.ts';
import type { RateLimitKeys, Limits } from '../../src/limits/rate-limiter.ts';
import { RedisBuckets } from '../../src/limits/redis-buckets.ts';
import { connectToRedis, untilConnected } from '../../src/limits/redis-connection.ts';
import { SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';
import { startRedis } from '../../tests/support/redis-server.ts';
import { table, writeResults } from '../results.ts';
import { redisCpuMicros } from './machine/counters.ts';
import { mean } from './statistics.ts';
import { addressAt, publisherAt, publisherId } from './traffic/requests.ts';

const rounds = 6;
const decisionsPerRound = 12_000;
const concurrencies = [1, 8, 64];
const highLimits: Limits = { ip: 1_000_000, publisher: 1_000_000, global: 1_000_000 };

const server = await startRedis();
const redis = connectToRedis(server.settings, () => {});
const outside = server.client();
await untilConnected(redis, 1_000);

const keysAt = (i: number): RateLimitKeys => ({ ip: addressAt(i), publisher: publisherId(publisherAt(i)) });

type Decide = (keys: RateLimitKeys) => Promise<unknown>;

function ours(): Decide {
  const onMode = (mode: string, cause?: unknown) => {
    throw new Error(`unexpected limit mode ${mode}`, { cause });
  };
  const buckets = new RedisBuckets(redis);
  const store = new RateLimitStore(
    new SharedRateLimiter({ buckets, mode: 'redis', limits: highLimits, workers: 1, clocks, onMode, onCall: () => {} }),
  );
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
  return {
    perSecond: decisionsPerRound / seconds,
    redisMicros: ((await redisCpuMicros(outside)) - redisBefore) / decisionsPerRound,
    workerMicros: (user + system) / decisionsPerRound,
  };
}

/** Few enough that leases cover their addresses, too. */
const fewAddresses = 100;
const decideByLeases = ours();
let decided = 0;

const contenders: [string, Decide][] = [
  ['rate-limit-redis, three times in sequence', await stock()],
  ['this store', ours()],
  [
    `this store, ${fewAddresses} addresses`,
    (keys) => decideByLeases({ ...keys, ip: addressAt(decided++ % fewAddresses) }),
  ],
];
for (const [, decide] of contenders) await measure(decide, 64); // warm up

const rows: string[][] = [];
for (const inFlight of concurrencies) {
  const costs = contenders.map((): Cost[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, [, decide]] of contenders.entries()) costs[at]!.push(await measure(decide, inFlight));
  }
  const means = costs.map((all) => ({
    perSecond: mean(all.map(({ perSecond }) => perSecond)),
    redisMicros: mean(all.map(({ redisMicros }) => redisMicros)),
    workerMicros: mean(all.map(({ workerMicros }) => workerMicros)),
  }));
  for (const [at, [name]] of contenders.entries()) {
    const { perSecond, redisMicros, workerMicros } = means[at]!;
    rows.push([String(inFlight), name, perSecond.toFixed(0), redisMicros.toFixed(1), workerMicros.toFixed(1)]);
  }
  const [theirs, own] = means as [Cost, Cost];
  const total = ({ redisMicros, workerMicros }: Cost) => redisMicros + workerMicros;
  rows.push([
    String(inFlight),
    '**times cheaper**',
    (own.perSecond / theirs.perSecond).toFixed(1),
    (theirs.redisMicros / own.redisMicros).toFixed(1),
    `${(theirs.workerMicros / own.workerMicros).toFixed(1)} (both together ${(total(theirs) / total(own)).toFixed(1)})`,
  ]);
}

writeResults('Limits: what a decision costs', 'make bench BENCH=limits', [
  `Mean of ${rounds} interleaved rounds of ${decisionsPerRound} decisions, 2,000 addresses and 50 publishers, all admitted.`,
  '',
  ...table(
    ['in flight', 'store', 'decisions per second', 'Redis CPU µs per decision', 'worker CPU µs per decision'],
    rows,
  ),
]);
redis.disconnect();
outside.disconnect();
await server.kill();
process.exit(0);
