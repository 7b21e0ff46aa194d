/** A worker is killed, and its replacements exit as soon as they start. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DrilledExchange } from '../exchange.ts';
import type { Fault } from '../fault.ts';
import { allWorkersReady, onItsConnections } from '../signs.ts';

/** Loaded before the exchange. */
const exitIfExists = (file: string): string => `
  import cluster from 'node:cluster';
  import { existsSync } from 'node:fs';
  if (cluster.isWorker && existsSync(${JSON.stringify(file)})) process.exit(1);`;

export const workerCrashLoop: Fault = {
  name: 'worker-crash-loop',
  title: 'a worker killed (SIGKILL), and its replacements exit at their start for 8 s',
  allowance: onItsConnections('requests in flight at the killed worker get no response.', 200),
  maxRecoveryMs: 20_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const file = join(drill.folder, 'exit-at-start');
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(exitIfExists(file))}`;
    const exchange = await drill.startExchange({ redisUrl: redis.url, variables: { NODE_OPTIONS } });
    await drill.startLoad();
    drill.faultBegins();
    writeFileSync(file, '');
    process.kill(exchange.workers()[0]!, 'SIGKILL');
    await sleep(8_000);
    const delays = restartDelays(exchange);
    drill.expect(
      `replacements started after ${delays.join(', ')} ms; goal: at least 4, each delay longer than the one before`,
      delays.length >= 4 && delays.every((delayMs, at) => at === 0 || delayMs > delays[at - 1]!),
    );
    rmSync(file);
    drill.faultEnds();
    return drill.observe({
      // ExchangeWorkerCrashLoop fires at more than three.
      metric: { series: 'exchange_worker_deaths_total', shows: (value, old) => value > old + 3 },
      logLine: { msg: 'worker exited', part: '"restartDelayMs":800' },
      isNormal: allWorkersReady,
    });
  },
};

/** In milliseconds, according to the log. */
const restartDelays = ({ log }: DrilledExchange): number[] =>
  log.lines.flatMap(({ text }) => /"restartDelayMs":(\d+)/.exec(text)?.[1] ?? []).map(Number);
