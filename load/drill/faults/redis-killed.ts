/** Redis is killed, and started again without its data. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, maxDegradedMs, usesRedis } from '../signs.ts';

export const redisKilled: Fault = {
  name: 'redis-killed',
  title: 'Redis killed (SIGKILL), started again after 3 s',
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const redis = await drill.startRedis();
    await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    await redis.kill();
    await sleep(3_000);
    await redis.start();
    drill.faultEnds();
    return drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
  },
};
