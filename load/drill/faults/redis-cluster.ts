/** The master of the token buckets in a Redis Cluster is killed; its replica takes over, and it comes back as a replica. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterTopology } from '../../../tests/support/redis-topologies.ts';
import { until } from '../../../tests/support/until.ts';
import { downAfterMs, withSuccessor } from '../failover.ts';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, maxDegradedMs, usesRedis } from '../signs.ts';

/** Of the slot that has all buckets but those of addresses. */
const hotKey = 'gavel:{limits}:0';

export const redisCluster: Fault = {
  name: 'redis-cluster',
  title: `Redis Cluster: the master of the buckets killed (\`cluster-node-timeout ${downAfterMs}\`), started again 2 s after its replica took over`,
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const topology = new ClusterTopology();
    drill.onEnd(() => {
      for (const server of topology.servers) server.signal('SIGKILL'); // the exit of this process waits for nothing
      return topology.end();
    });
    await topology.start();
    for (const server of topology.servers)
      await topology.client(server).config('SET', 'cluster-node-timeout', downAfterMs);
    const master = await topology.masterOf(hotKey, topology.servers[0]!);
    const witness = topology.servers.find((server) => server !== master)!;
    await drill.startExchange({ variables: { REDIS_CLUSTER: topology.hosts } });
    await drill.startLoad();
    drill.faultBegins();
    await master.kill();
    await until('there is a successor', async () => (await topology.masterOf(hotKey, witness)) !== master);
    const successorAfterMs = performance.now() - drill.times.beganAtMs;
    await sleep(2_000);
    await master.start();
    const outcome = await drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
    return withSuccessor(outcome, successorAfterMs);
  },
};
