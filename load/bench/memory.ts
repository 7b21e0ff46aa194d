/** How much memory does the exchange take, idle and saturated, by process? Other flags of Node.js can be compared with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { commandWith, table, writeResults } from '../results.ts';
import { redisPid } from './machine/counters.ts';
import { proportionalMiB, residentMiB } from './machine/processes.ts';
import { type RunningServer, startBenchRedis, temporaryFolder } from './machine/start.ts';
import { describeOtherLoad, measureSaturated, type SaturatedRound, startAll } from './measure.ts';
import { exchange, verifyBids } from './servers.ts';
import { rounds, roundSeconds } from './settings.ts';
import { goal, goalsHead, medianAndRange, ratio } from './statistics.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';

const workers = 2;
/** Until what starting a worker left behind has been collected. */
const idleMs = 3_000;

interface ServerMemory {
  primary: number;
  workers: number[];
  total: number;
  /** Pages that processes share are divided among them. */
  proportional: number;
}

/** Values of NODE_OPTIONS that are compared with the defaults, separated by semicolons. */
const variants = (process.env.MEMORY_OPTIONS ?? '').split(';').filter(Boolean);

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const redis = redisServer.client();
const servers = [{}, ...variants.map((options) => ({ NODE_OPTIONS: options }))].map((overrides) =>
  exchange(redisServer.url, housePartners, folder, { overrides }),
);
const all = await startAll(servers, workers);
await sleep(idleMs);
const idle = all.map(memoryOf);
const context = { redis, requestsFile: writeRequests(folder).path, helpers: [await redisPid(redis)] };
const measured = await measureSaturated(all, context);
const saturated = all.map(memoryOf);
for (const running of all) await verifyBids(running);
for (const running of all) await running.stop();
report();
process.exit(0);

function memoryOf({ primary, workers: pids }: RunningServer): ServerMemory {
  const every = [primary, ...pids];
  return {
    primary: residentMiB(primary),
    workers: pids.map(residentMiB),
    total: sum(every.map(residentMiB)),
    proportional: sum(every.map(proportionalMiB)),
  };
}

function report(): void {
  const name = (index: number) => (index === 0 ? 'default' : `\`${variants[index - 1]}\``);
  const row = (index: number, state: string, { primary, workers: each, total, proportional }: ServerMemory) => [
    name(index),
    state,
    primary.toFixed(0),
    each.map((one) => one.toFixed(0)).join(', '),
    total.toFixed(0),
    proportional.toFixed(0),
  ];
  const perSecond = (index: number) => measured[index]!.map((round: SaturatedRound) => round.perSecond);
  writeResults('Memory: by process', commandWith(['BENCH_SECONDS', 'MEMORY_OPTIONS'], 'make bench BENCH=memory'), [
    `The exchange with ${workers} workers, Redis and house partners, ${idleMs / 1_000} s after its start and after ${rounds} rounds of ${roundSeconds} s at saturation. Resident memory in MiB by process; in the proportional total, pages that processes share are divided among them. ${describeOtherLoad(measured.flat())}`,
    '',
    ...table(
      ['options', 'state', 'primary', 'workers', 'total', 'proportional total'],
      all.flatMap((_, index) => [row(index, 'idle', idle[index]!), row(index, 'saturated', saturated[index]!)]),
    ),
    '',
    ...table(
      ['options', 'requests per second', 'ratio to default'],
      all.map((_, index) => [
        name(index),
        medianAndRange(perSecond(index), 0),
        ratio(perSecond(index), perSecond(0)).toFixed(2),
      ]),
    ),
    '',
    ...table(goalsHead, [
      goal('resident memory, idle', idle[0]!.total, '≤', 200, ' MiB'),
      goal('resident memory, saturated', saturated[0]!.total, '≤', 350, ' MiB'),
    ]),
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
