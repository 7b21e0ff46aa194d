/** The master behind sentinels is killed; a replica becomes the master. */
import { SentinelTopology } from '../../../tests/support/redis-topologies.ts';
import { until } from '../../../tests/support/until.ts';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, maxDegradedMs, usesRedis } from '../signs.ts';

export const redisSentinel: Fault = {
  name: 'redis-sentinel',
  title: 'Redis master behind sentinels killed: failover',
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const topology = new SentinelTopology();
    drill.onEnd(() => {
      for (const server of topology.servers) server.signal('SIGKILL'); // the exit of this process waits for nothing
      return topology.end();
    });
    await topology.start();
    const master = await topology.master();
    await drill.startExchange({ redisUrl: topology.url });
    await drill.startLoad();
    drill.faultBegins();
    await master.kill();
    await until('there is a new master', async () => (await topology.master()) !== master);
    drill.faultEnds();
    return drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
  },
};
