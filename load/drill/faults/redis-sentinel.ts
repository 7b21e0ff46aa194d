/** The master behind sentinels is killed; a replica becomes the master. */
import { masterName, SentinelTopology } from '../../../tests/support/redis-topologies.ts';
import { until } from '../../../tests/support/until.ts';
import { downAfterMs, withSuccessor } from '../failover.ts';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, maxDegradedMs, usesRedis } from '../signs.ts';

export const redisSentinel: Fault = {
  name: 'redis-sentinel',
  title: `Redis master behind sentinels killed: failover (\`down-after-milliseconds ${downAfterMs}\`)`,
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const topology = new SentinelTopology();
    drill.onEnd(() => {
      for (const server of topology.servers) server.signal('SIGKILL'); // the exit of this process waits for nothing
      return topology.end();
    });
    await topology.start();
    for (const sentinel of topology.sentinels)
      await topology
        .client(sentinel)
        .call('SENTINEL', 'SET', masterName, 'down-after-milliseconds', String(downAfterMs));
    const master = await topology.master();
    await drill.startExchange({ redisUrl: topology.url });
    await drill.startLoad();
    drill.faultBegins();
    await master.kill();
    await until('there is a new master', async () => (await topology.master()) !== master);
    const successorAfterMs = performance.now() - drill.times.beganAtMs;
    const outcome = await drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
    return withSuccessor(outcome, successorAfterMs);
  },
};
