/** A worker whose event loop is blocked by a computation. */
import type { Fault } from '../fault.ts';
import { timeoutMs } from '../steady-client.ts';
import { allWorkersReady, hasGrown, onItsConnections } from '../signs.ts';

/** Loaded before the exchange: SIGUSR2 makes a worker compute for longer than its liveness allows. */
const blockOnSignal = `process.on('SIGUSR2', () => { for (const end = Date.now() + 60_000; Date.now() < end; ); });`;

export const workerBlocked: Fault = {
  name: 'worker-blocked',
  title: 'the event loop of a worker blocked by an endless computation',
  allowance: onItsConnections('the next request on each connection of the blocked worker times out.', timeoutMs),
  maxRecoveryMs: 20_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(blockOnSignal)}`;
    const exchange = await drill.startExchange({ redisUrl: redis.url, variables: { NODE_OPTIONS } });
    await drill.startLoad();
    drill.faultBegins();
    process.kill(exchange.workers()[0]!, 'SIGUSR2');
    return drill.observe({
      metric: { series: 'exchange_worker_replacements_total{reason="heartbeat"}', shows: hasGrown },
      logLine: { msg: 'worker unresponsive: killed' },
      isNormal: allWorkersReady,
    });
  },
};
