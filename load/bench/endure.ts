/** Does anything wear out or stall? The exchange at half of its saturation, minute by minute. */
import { table } from '../runner/table.ts';
import { exchange, verifyBids } from './contenders.ts';
import { longestOf, startWitness, watching } from './enduring/watched.ts';
import { watchOthers } from './machine/others.ts';
import { residentMiB } from './machine/processes.ts';
import { redisPid } from './machine/redis-account.ts';
import { folderOfOurs, redisOfOurs } from './machine/with-us.ts';
import { memoryMiB, processesOf } from './measure.ts';
import { commandWith, writeResults } from './results.ts';
import { connections, warmUpSeconds, wholeSeconds } from './settings.ts';
import { housePartners } from './traffic/house-partners.ts';
import { paceFor } from './traffic/pace.ts';
import { runWrk } from './traffic/run-wrk.ts';
import { writeRequests } from './traffic/write-requests.ts';

const seconds = wholeSeconds('ENDURE_SECONDS', 600);
const stretches = Math.max(Math.round(seconds / 60), 1);
const secondsAStretch = Math.round(seconds / stretches);
const workers = 2;

const folder = folderOfOurs();
const redis = await redisOfOurs();
const requestsFile = writeRequests(folder).file;
const running = await exchange(redis.url, housePartners, folder, watching(folder)).start(workers);
const witness = startWitness(folder);
const ours = processesOf([running], [await redisPid(redis.client()), witness]);

const target = { url: running.url, requestsFile };
await runWrk({ ...target, connections, seconds: warmUpSeconds });
const saturated = await runWrk({ ...target, connections, seconds: warmUpSeconds });
const pace = await paceFor(target, saturated.perSecond / 2);

async function endureStretch(stretch: number): Promise<string[]> {
  const others = watchOthers(ours);
  const fromMs = Date.now();
  const { perSecond, p50Ms, p99Ms, longestMs } = await runWrk({ ...target, ...pace, seconds: secondsAStretch });
  const own = longestOf(folder, running.workers, fromMs, Date.now());
  const idle = longestOf(folder, [witness], fromMs, Date.now());
  return [
    String(stretch),
    perSecond.toFixed(0),
    ...[p50Ms, p99Ms, longestMs, own.stallMs, idle.stallMs, own.collectionMs].map((ms) => ms.toFixed(1)),
    memoryMiB(running, residentMiB).toFixed(0),
    `${(others() * 100).toFixed(0)}%`,
  ];
}

const rows: string[][] = [];
for (let stretch = 1; stretch <= stretches; stretch++) {
  const row = await endureStretch(stretch);
  process.stderr.write(`${row.join(' | ')}\n`);
  rows.push(row);
}
await verifyBids(running);
const complaints = await running.end();

writeResults('Endurance: at half of saturation', commandWith(['ENDURE_SECONDS'], 'make endure'), [
  `${workers} workers with Redis and house partners, loaded for ${stretches} × ${secondsAStretch} s at half of the ${saturated.perSecond.toFixed(0)} requests a second that they did in one short run before, watched as they are here, with new connections each time and pauses between requests that are distributed exponentially. Every request ended with a bid.`,
  '',
  `Stalls are by how much a timer of 5 ms in the worker itself was late at worst; those of an idle process over the same time are the machine's. Collections are those of the workers' main threads, by \`PerformanceObserver\`. Memory is resident, of both workers; others is what other processes took of the machine.`,
  '',
  ...table(
    [
      'stretch',
      'requests a second',
      'p50 ms',
      'p99 ms',
      'longest ms',
      'longest stall ms',
      'idle process ms',
      'longest collection ms',
      'memory MiB',
      'others',
    ],
    rows,
  ),
  ...(complaints.length > 0 ? ['', 'Warnings in its log:', '', ...complaints.map((line) => `    ${line}`)] : []),
]);
process.exit(0);
