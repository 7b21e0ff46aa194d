/** Do latency, event-loop stalls or memory degrade over time? The exchange at half its saturation, minute by minute. */
import { commandWith, table, writeResults } from '../results.ts';
import { longestPauses, pauseMonitor, startIdleProcess } from './endurance/pauses.ts';
import { redisPid } from './machine/counters.ts';
import { residentMiB, watchOtherLoad } from './machine/processes.ts';
import { startBenchRedis, temporaryFolder } from './machine/start.ts';
import { processesOf, workersMiB } from './measure.ts';
import { exchange, verifyBids } from './servers.ts';
import { connections, warmUpSeconds, wholeSeconds } from './settings.ts';
import { percent } from './statistics.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';
import { calibrateRate, runWrk } from './traffic/run-wrk.ts';

const seconds = wholeSeconds('ENDURE_SECONDS', 600);
const intervals = Math.max(Math.round(seconds / 60), 1);
const intervalSeconds = Math.round(seconds / intervals);
const workers = 2;

const folder = temporaryFolder();
const redis = await startBenchRedis();
const requestsFile = writeRequests(folder).path;
const running = await exchange(redis.url, housePartners, folder, { overrides: pauseMonitor(folder) }).start(workers);
const idleProcess = startIdleProcess(folder);
const own = processesOf([running], [await redisPid(redis.client()), idleProcess]);

const target = { url: running.url, requestsFile };
await runWrk({ ...target, connections, seconds: warmUpSeconds });
const saturated = await runWrk({ ...target, connections, seconds: warmUpSeconds });
const halfRate = await calibrateRate(target, saturated.perSecond / 2);

async function measureInterval(interval: number): Promise<string[]> {
  const stopWatching = watchOtherLoad(own);
  const fromMs = Date.now();
  const { perSecond, p50Ms, p99Ms, maxMs } = await runWrk({ ...target, ...halfRate, seconds: intervalSeconds });
  const worst = longestPauses(folder, running.workers, fromMs, Date.now());
  const idle = longestPauses(folder, [idleProcess], fromMs, Date.now());
  return [
    String(interval),
    perSecond.toFixed(0),
    ...[p50Ms, p99Ms, maxMs, worst.stallMs, idle.stallMs, worst.collectionMs].map((ms) => ms.toFixed(1)),
    workersMiB(running, residentMiB).toFixed(0),
    percent(stopWatching()),
  ];
}

const rows: string[][] = [];
for (let interval = 1; interval <= intervals; interval++) {
  const row = await measureInterval(interval);
  process.stderr.write(`${row.join(' | ')}\n`);
  rows.push(row);
}
await verifyBids(running);
const warnings = await running.stop();

writeResults('Endurance: at half of saturation', commandWith(['ENDURE_SECONDS'], 'make endure'), [
  `${workers} workers with Redis and house partners, loaded for ${intervals} × ${intervalSeconds} s at half of the ${saturated.perSecond.toFixed(0)} requests per second that they reached in a short run before. Each interval opens new connections; the pauses between requests are exponentially distributed. Every request ended with a bid.`,
  '',
  `A stall is the time by which a timer of 5 ms fired late. The stalls of an idle process show the stalls of the machine itself. Garbage collections are those of the workers' main threads, from \`PerformanceObserver\`. Memory is the resident memory of both workers. Other load is the share of the machine that unrelated processes took.`,
  '',
  ...table(
    [
      'interval',
      'requests per second',
      'p50 ms',
      'p99 ms',
      'max ms',
      'longest stall ms',
      'idle process stall ms',
      'longest collection ms',
      'memory MiB',
      'other load',
    ],
    rows,
  ),
  ...(warnings.length > 0 ? ['', 'Warnings in the log:', '', ...warnings.map((line) => `    ${line}`)] : []),
]);
process.exit(0);
