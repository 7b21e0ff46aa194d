/** Redis cannot be reached when the exchange starts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, RedisServer } from '../../../tests/support/redis-server.ts';
import type { DrilledExchange } from '../exchange.ts';
import { workers } from '../exchange.ts';
import type { Fault } from '../fault.ts';
import { maxDegradedMs, usesRedis } from '../signs.ts';

const instances = 4;
const limit = 800;

export const redisAbsent: Fault = {
  name: 'redis-absent',
  title: `Redis not reachable at the start, \`INSTANCES=${instances}\`; started after 5 s`,
  maxRecoveryMs: maxDegradedMs,
  async run(drill) {
    const redis = new RedisServer(await freePort());
    drill.onEnd(() => redis.kill());
    drill.faultBegins();
    const variables = { INSTANCES: String(instances), LIMIT_IP: String(limit), LIMIT_PUBLISHER: String(10 * limit) };
    const exchange = await drill.startExchange({ redisUrl: redis.url, variables });
    await drill.startLoad();
    const share = await limitPerWorker(exchange, drill.requests()[0]!);
    const fair = limit / instances / workers;
    drill.expect(`the limit of a worker is ${share}, goal ${fair}`, share === fair);
    await sleep(3_000);
    await redis.start();
    drill.faultEnds();
    return drill.observe({
      metric: { series: 'exchange_limit_mode{mode="degraded"}', shows: (value) => value === 1 },
      logLine: { msg: 'cannot connect to Redis' },
      isNormal: usesRedis,
    });
  },
};

/** According to a response. */
async function limitPerWorker({ port }: DrilledExchange, request: Buffer): Promise<number> {
  const [, body] = request.toString().split('\r\n\r\n');
  const response = await fetch(`http://127.0.0.1:${port}/openrtb2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
    body: body!,
  });
  await response.text();
  return Number(response.headers.get('x-ratelimit-limit'));
}
