/** Rate limits on a Redis Cluster, whose master of the buckets fails or moves under traffic. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parseRedisNodes } from '../../src/limits/redis-settings.ts';
import { RedisLimiter } from '../support/redis-limiter.ts';
import { ClusterTopology } from '../support/redis-topologies.ts';
import { until } from '../support/until.ts';

const anyKey = 'gavel:{limits}:0';

let topology: ClusterTopology;
let limiter: RedisLimiter;
beforeAll(async () => {
  topology = await new ClusterTopology().start();
});
afterAll(() => topology.end());
beforeEach(async () => {
  limiter = await new RedisLimiter().start(parseRedisNodes(topology.hosts, 'cluster')!);
});
afterEach(() => limiter.close());

test('the buckets are in one slot, so limits are exact', async () => {
  await limiter.expectExact('203.0.113.1');
  const others = await Promise.all(topology.servers.map((server) => topology.client(server).dbsize()));
  expect(others.filter((keys) => keys > 0)).toHaveLength(2); // one master and its replica
  expect(limiter.modes).toEqual([]);
});

test('buckets that move to another node are followed', async () => {
  const [witness] = topology.servers;
  const master = await topology.masterOf(anyKey, witness!);
  const replica = topology.servers[(topology.servers.indexOf(master) + 3) % 6]!;
  limiter.startTraffic();
  await limiter.waitForDecisions(20);
  await topology.client(replica).call('CLUSTER', 'FAILOVER');
  await until('the replica is the master', async () => (await topology.masterOf(anyKey, replica)) === replica);
  await limiter.waitForDecisions(20);
  await limiter.stopTraffic();
  await until('Redis is used', () => limiter.modes.at(-1) !== 'degraded');
  await limiter.expectExact('203.0.113.2');
});

test('a master that is frozen: every request is decided, and limits are exact again on its successor', async () => {
  const master = await topology.masterOf(anyKey, topology.servers[0]!);
  const witness = topology.servers.find((server) => server !== master)!;
  limiter.startTraffic();
  await limiter.waitForDecisions(20);
  master.signal('SIGSTOP');
  await limiter.untilMode('degraded');
  await until('there is a successor', async () => (await topology.masterOf(anyKey, witness)) !== master);
  await limiter.untilMode('redis');
  await limiter.stopTraffic();
  await limiter.expectExact('203.0.113.3');
});
