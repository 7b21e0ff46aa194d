/** SIGHUP: every worker is replaced under load. */
import type { Fault } from '../fault.ts';
import { allWorkersReady } from '../signs.ts';

export const rollingRestart: Fault = {
  name: 'rolling-restart',
  title: 'rolling restart (SIGHUP); recovery is the time until its end',
  maxRecoveryMs: 20_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const exchange = await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    const before = exchange.workers();
    drill.faultBegins();
    exchange.process.kill('SIGHUP');
    return drill.observe({
      metric: {
        series: 'exchange_worker_replacements_total{reason="roll"}',
        shows: (value, old) => value >= old + before.length,
      },
      logLine: { msg: 'rolling restart completed' },
      isNormal: allWorkersReady,
      recoversWithLogLine: true,
    });
  },
};
