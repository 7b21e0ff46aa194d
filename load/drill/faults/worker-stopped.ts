/** A worker that is stopped: it holds its connections and does not respond. */
import type { Fault } from '../fault.ts';
import { timeoutMs } from '../steady-client.ts';
import { allWorkersReady, hasGrown, onItsConnections } from '../signs.ts';

export const workerStopped: Fault = {
  name: 'worker-stopped',
  title: 'a worker stopped (SIGSTOP)',
  allowance: onItsConnections('the next request on each connection of the stopped worker times out.', timeoutMs),
  maxRecoveryMs: 20_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const exchange = await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    process.kill(exchange.workers()[0]!, 'SIGSTOP');
    return drill.observe({
      metric: { series: 'exchange_worker_replacements_total{reason="heartbeat"}', shows: hasGrown },
      logLine: { msg: 'worker unresponsive: killed' },
      isNormal: allWorkersReady,
    });
  },
};
