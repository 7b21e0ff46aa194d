/** A worker that is killed, as by the kernel when memory is short. */
import type { Fault } from '../fault.ts';
import { allWorkersReady, hasGrown, onItsConnections } from '../signs.ts';

export const workerKilled: Fault = {
  name: 'worker-killed',
  title: 'a worker killed (SIGKILL)',
  allowance: onItsConnections('requests in flight at the killed worker get no response.', 200),
  maxRecoveryMs: 20_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const exchange = await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    process.kill(exchange.workers()[0]!, 'SIGKILL');
    return drill.observe({
      metric: { series: 'exchange_worker_deaths_total', shows: hasGrown },
      logLine: { msg: 'worker exited', part: '"signal":"SIGKILL"' },
      isNormal: allWorkersReady,
    });
  },
};
