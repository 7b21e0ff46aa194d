/** Rate limits on a Redis Cluster: the addresses are spread over its masters, which fail or move under traffic. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addressTags } from '../../src/limits/create-redis-buckets.ts';
import type { Limits, RateLimitKeys, Scope } from '../../src/limits/rate-limiter.ts';
import { parseRedisNodes } from '../../src/limits/redis-settings.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { ClusterTopology } from '../support/redis-topologies.ts';
import { until } from '../support/until.ts';

const hotKey = 'gavel:{limits}:0';
const keysOf = (slots: number): string[] => addressTags(slots).map((tag) => `gavel:{${tag}}:0`);
const addressKeys = keysOf(16);
/** Of another master than the hot slot. */
const otherKey = addressKeys.at(-1)!;

let topology: ClusterTopology;
let limiter: RedisLimiter;
beforeAll(async () => {
  topology = await new ClusterTopology().start();
});
afterAll(() => topology.end());
beforeEach(async () => {
  limiter = await new RedisLimiter().start(parseRedisNodes(topology.hosts, 'cluster')!);
});
const others: RedisLimiter[] = [];
afterEach(() => {
  for (const one of [limiter, ...others.splice(0)]) one.close();
});

async function startOther(limits: Limits): Promise<RedisLimiter> {
  const other = await new RedisLimiter().start(parseRedisNodes(topology.hosts, 'cluster')!, limits);
  others.push(other);
  return other;
}

/** Those in the hashes of a node, in all slots. */
async function addressesOn(server: RedisServer): Promise<Set<string>> {
  const client = topology.client(server);
  const hashes = (await client.keys('*')).filter((key) => /:[012]$/.test(key));
  const names = await Promise.all(hashes.map((hash) => client.hkeys(hash).catch(() => [])));
  return new Set(names.flat().filter((name) => name.startsWith('i')));
}

test('every master has its part of the addresses, and the limit of each is exact', async () => {
  await limiter.decideAll(Array.from({ length: 300 }, (_, at) => ({ ip: `192.0.2.${at}`, publisher: `pub-${at}` })));
  await limiter.expectExact('203.0.113.1');
  for (const master of topology.servers.slice(0, 3)) {
    expect((await addressesOn(master)).size).toBeGreaterThan(50);
  }
  expect(limiter.modes).toEqual([]);
});

test.each([
  [4, [1, 1, 2]],
  [16, [5, 5, 6]],
  [128, [42, 43, 43]],
])('three masters share %d slots evenly', async (slots, expected) => {
  const masters = await Promise.all(keysOf(slots).map((key) => topology.masterOf(key, topology.servers[0]!)));
  const counts = [...Map.groupBy(masters, ({ port }) => port).values()].map(({ length }) => length);
  expect(counts.toSorted((one, other) => one - other)).toEqual(expected);
});

test('with 128 slots the limit of an address is exact', async () => {
  const many = await new RedisLimiter().start({ ...parseRedisNodes(topology.hosts, 'cluster')!, addressSlots: 128 });
  others.push(many);
  await many.expectExact('203.0.113.128');
});

describe('two workers with one burst', () => {
  // What an earlier test has on lease would be much more of a small limit than of its own.
  beforeEach(async () => {
    await Promise.all(topology.servers.slice(0, 3).map((master) => topology.client(master).flushall()));
  });
  const cases: { scope: Scope; limits: Limits; keysAt: (at: number) => RateLimitKeys }[] = [
    {
      scope: 'ip',
      limits: { ip: 40, publisher: 1_000, global: 10_000 },
      keysAt: () => ({ ip: '203.0.113.11', publisher: 'burst-1' }),
    },
    {
      scope: 'publisher',
      limits: { ip: 1_000, publisher: 40, global: 10_000 },
      keysAt: (at) => ({ ip: `203.0.113.${at % 20}`, publisher: 'burst-2' }),
    },
    {
      scope: 'global',
      limits: { ip: 1_000, publisher: 1_000, global: 40 },
      keysAt: (at) => ({ ip: `203.0.113.${at % 20}`, publisher: `burst-3-${at % 7}` }),
    },
  ];
  test.each(cases)('of more requests than the limit of scope $scope: exactly the limit is admitted', async (one) => {
    const workers = [await startOther(one.limits), await startOther(one.limits)];
    const requests = Array.from({ length: 150 }, (_, at) => one.keysAt(at));
    const startedAtMs = performance.now();
    const results = (await Promise.all(workers.map((worker) => worker.decideAll(requests)))).flat();
    const refilled = Math.ceil((40 * (performance.now() - startedAtMs)) / 1000);
    const admitted = results.filter((result) => result.admitted).length;
    expect(admitted).toBeGreaterThanOrEqual(40);
    expect(admitted).toBeLessThanOrEqual(40 + refilled);
    expect(new Set(results.filter((result) => !result.admitted).map(({ scope }) => scope))).toEqual(
      new Set([one.scope]),
    );
    for (const worker of workers) expect(worker.modes).toEqual([]);
  });
});

test('a request that its publisher rejects is not charged to its address', async () => {
  const worker = await startOther({ ip: 10, publisher: 2, global: 1_000 });
  const ip = '203.0.113.21';
  const ofPublisher = await worker.decideAll(Array.from({ length: 9 }, () => ({ ip, publisher: 'small' })));
  const admitted = ofPublisher.filter((result) => result.admitted).length;
  expect(admitted).toBeLessThan(5);
  const rest = await worker.decideAll(Array.from({ length: 10 - admitted }, () => ({ ip, publisher: undefined })));
  expect(rest.every((result) => result.admitted)).toBe(true);
});

test('buckets that move to another node are followed', async () => {
  const [witness] = topology.servers;
  const master = await topology.masterOf(hotKey, witness!);
  const replica = topology.servers[(topology.servers.indexOf(master) + 3) % 6]!;
  limiter.startTraffic();
  await limiter.waitForDecisions(20);
  await topology.client(replica).call('CLUSTER', 'FAILOVER');
  await until('the replica is the master', async () => (await topology.masterOf(hotKey, replica)) === replica);
  await limiter.waitForDecisions(20);
  await limiter.stopTraffic();
  await until('Redis is used', () => limiter.modes.at(-1) !== 'degraded');
  await limiter.expectExact('203.0.113.2');
});

test.each([
  { what: 'most buckets', key: hotKey },
  { what: 'some addresses', key: otherKey },
])(
  'the master of $what is frozen: every request is decided, and limits are exact again on its successor',
  async ({ key }) => {
    const master = await topology.masterOf(key, topology.servers[0]!);
    const witness = topology.servers.find((server) => server !== master)!;
    limiter.startTraffic();
    await limiter.waitForDecisions(20);
    master.signal('SIGSTOP');
    await limiter.untilMode('degraded');
    await until('there is a successor', async () => (await topology.masterOf(key, witness)) !== master);
    await limiter.untilMode('redis');
    await limiter.stopTraffic();
    master.signal('SIGCONT');
    for (const last of [31, 32, 33, 34, 35, 36]) await limiter.expectExact(`203.0.113.${last}`);
  },
);
