/** A worker that exits, or that stops without exiting. */
import type { Expected } from '../drill.ts';
import type { Fault } from '../fault.ts';
import { allWorkersReady, hasGrown, onItsConnections } from '../signs.ts';
import { timeoutMs } from '../steady-client.ts';

/** As by the kernel when memory is short. */
export const workerKilled: Fault = {
  name: 'worker-killed',
  title: 'a worker killed (SIGKILL)',
  allowance: onItsConnections('requests in flight at the killed worker get no response.', 200),
  maxRecoveryMs: 20_000,
  run: signalWorker('SIGKILL', {
    metric: { series: 'exchange_worker_deaths_total', shows: hasGrown },
    logLine: { msg: 'worker exited', part: '"signal":"SIGKILL"' },
    isNormal: allWorkersReady,
  }),
};

/** It holds its connections and does not respond. */
export const workerStopped: Fault = {
  name: 'worker-stopped',
  title: 'a worker stopped (SIGSTOP)',
  allowance: onItsConnections('the next request on each connection of the stopped worker times out.', timeoutMs),
  maxRecoveryMs: 20_000,
  run: signalWorker('SIGSTOP', {
    metric: { series: 'exchange_worker_replacements_total{reason="heartbeat"}', shows: hasGrown },
    logLine: { msg: 'worker unresponsive: killed' },
    isNormal: allWorkersReady,
  }),
};

function signalWorker(signal: NodeJS.Signals, signs: Expected): Fault['run'] {
  return async (drill) => {
    const redis = await drill.startRedis();
    const exchange = await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    process.kill(exchange.workers()[0]!, signal);
    return drill.observe(signs);
  };
}
