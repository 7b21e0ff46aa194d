/** Redis accepts commands and does not respond. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, maxDegradedMs, usesRedis } from '../signs.ts';

export const redisStopped: Fault = {
  name: 'redis-stopped',
  title: 'Redis stopped for 3 s (SIGSTOP, SIGCONT)',
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const redis = await drill.startRedis();
    await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    redis.signal('SIGSTOP');
    await sleep(3_000);
    redis.signal('SIGCONT');
    drill.faultEnds();
    return drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
  },
};
