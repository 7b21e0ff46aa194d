/** Redis responds, but slowly: workers use their shares until it is fast again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayingProxy } from '../../delaying-proxy.ts';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, usesRedis } from '../signs.ts';

const delayMs = 200;
/** They do so for at least 5 s after the last slow call. */
const maxRecoveryMs = 7_000;

export const redisSlow: Fault = {
  name: 'redis-slow',
  title: `Redis slow (${delayMs} ms) for 4 s`,
  maxRecoveryMs,
  async run(drill) {
    const redis = await drill.startRedis();
    const proxy = new DelayingProxy(Number(new URL(redis.url).port));
    drill.onEnd(() => proxy.stop());
    await drill.startExchange({ redisUrl: `redis://127.0.0.1:${await proxy.start()}` });
    await drill.startLoad();
    drill.faultBegins();
    proxy.delayMs = delayMs;
    await sleep(4_000);
    proxy.delayMs = 0;
    drill.faultEnds();
    return drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
  },
};
