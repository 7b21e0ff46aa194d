/** Redis is away for three seconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '../../../tests/support/redis-server.ts';
import type { Fault } from '../fault.ts';
import { degradedLine, degradedMetric, maxDegradedMs, usesRedis } from '../signs.ts';

/** It starts again without its data. */
export const redisKilled: Fault = {
  name: 'redis-killed',
  title: 'Redis killed (SIGKILL), started again after 3 s',
  maxRecoveryMs: maxDegradedMs,
  run: interruptRedis(
    (redis) => redis.kill(),
    (redis) => redis.start(),
  ),
};

/** It accepts commands and does not respond. */
export const redisStopped: Fault = {
  name: 'redis-stopped',
  title: 'Redis stopped for 3 s (SIGSTOP, SIGCONT)',
  maxRecoveryMs: maxDegradedMs,
  run: interruptRedis(
    (redis) => redis.signal('SIGSTOP'),
    (redis) => redis.signal('SIGCONT'),
  ),
};

type Action = (redis: RedisServer) => Promise<unknown> | void;

function interruptRedis(begin: Action, end: Action): Fault['run'] {
  return async (drill) => {
    const redis = await drill.startRedis();
    await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    await begin(redis);
    await sleep(3_000);
    await end(redis);
    drill.faultEnds();
    return drill.observe({ metric: degradedMetric, logLine: degradedLine, isNormal: usesRedis });
  };
}
