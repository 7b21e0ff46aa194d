/** The primary is stopped; its workers accept connections themselves. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { allWorkersReady, hasGrown } from '../signs.ts';

export const primaryStopped: Fault = {
  name: 'primary-stopped',
  title: 'the primary stopped for 3 s (SIGSTOP, SIGCONT), limits in Redis',
  maxRecoveryMs: 3_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const exchange = await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    exchange.process.kill('SIGSTOP');
    await sleep(3_000);
    exchange.process.kill('SIGCONT');
    drill.faultEnds();
    return drill.observe({
      metric: { series: 'exchange_primary_stall_seconds_total', shows: hasGrown },
      logLine: { msg: 'primary stalled: its event loop was stopped or blocked' },
      isNormal: allWorkersReady,
    });
  },
};
