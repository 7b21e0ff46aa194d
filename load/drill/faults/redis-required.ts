/** Redis is killed, and the exchange may not serve without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { degradedLine, maxDegradedMs, usesRedis } from '../signs.ts';

export const redisRequired: Fault = {
  name: 'redis-required',
  title: 'Redis killed and started again after 3 s, `REDIS_REQUIRED=1`',
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const redis = await drill.startRedis();
    await drill.startExchange({ redisUrl: redis.url, variables: { REDIS_REQUIRED: '1' } });
    await drill.startLoad();
    drill.faultBegins();
    await redis.kill();
    await sleep(3_000);
    await redis.start();
    drill.faultEnds();
    return drill.observe({
      metric: { series: '/readyz', shows: (status) => status === 503 },
      logLine: degradedLine,
      isNormal: (values) => usesRedis(values) && values.get('/readyz') === 200,
    });
  },
};
