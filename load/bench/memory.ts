/** How much memory does the exchange take, idle and saturated, by process? Other flags of Node.js can be compared with it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandWith, table, writeResults } from '../results.ts';
import { redisPid } from './machine/counters.ts';
import { proportionalMiB, residentMiB } from './machine/processes.ts';
import { type RunningServer, startBenchRedis, temporaryFolder } from './machine/start.ts';
import { describeOtherLoad, startAll } from './measure.ts';
import { measureSaturated, type PeerRound, warmUp } from './peers/peer-rounds.ts';
import { exchange } from './servers.ts';
import { rounds, roundSeconds } from './settings.ts';
import { goal, goalsHead, median, medianAndRange, ratio } from './statistics.ts';
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

/** Compared with the defaults, separated by semicolons: options of Node.js, and environment variables as NAME=value. */
const variants = (process.env.MEMORY_OPTIONS ?? '').split(';').filter(Boolean);

function variablesOf(variant: string): Record<string, string> {
  const words = variant.split(' ').filter(Boolean);
  const isVariable = (word: string) => /^[A-Z_]+=/.test(word);
  const variables = words.filter(isVariable).map((word) => word.split('=', 2) as [string, string]);
  return { NODE_OPTIONS: words.filter((word) => !isVariable(word)).join(' '), ...Object.fromEntries(variables) };
}

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const redis = redisServer.client();
/** As `npm start` does: without the cache, every process keeps the TypeScript compiler in memory. */
const compileCache = { NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
const servers = [{}, ...variants.map(variablesOf)].map((options) =>
  exchange(redisServer.url, housePartners, folder, { overrides: { ...compileCache, ...options } }),
);
const [first] = await startAll(servers.slice(0, 1), workers);
await first!.stop(); // it has filled the cache
const all = await startAll(servers, workers);
await sleep(idleMs);
const idle = all.map(memoryOf);
const requestsFile = writeRequests(folder).path;
const peers = all.map((running, index) => ({ name: String(index), running, requestsFile, helpers: [] }));
for (const peer of peers) await warmUp(peer);
const measured = await measureSaturated(peers, { pid: await redisPid(redis) });
const saturated = all.map(memoryOf);
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
  const values = (index: number, metric: keyof PeerRound) => measured[index]!.map((round) => round[metric]);
  const perCore = (index: number) => values(index, 'perCore');
  writeResults('Memory: by process', commandWith(['BENCH_SECONDS'], 'make bench BENCH=memory'), [
    `The exchange with ${workers} workers, Redis and house partners, ${idleMs / 1_000} s after its start and after ${rounds} rounds of ${roundSeconds} s at saturation. Resident memory in MiB by process; in the proportional total, pages that processes share are divided among them. Requests per core: requests per second of CPU time of primary and workers. ${describeOtherLoad(measured.flat())}`,
    '',
    ...table(
      ['options', 'state', 'primary', 'workers', 'total', 'proportional total'],
      all.flatMap((_, index) => [row(index, 'idle', idle[index]!), row(index, 'saturated', saturated[index]!)]),
    ),
    '',
    ...table(
      ['options', 'requests per core', 'ratio to default', 'requests per second', 'p99 ms'],
      all.map((_, index) => [
        name(index),
        medianAndRange(perCore(index), 0),
        ratio(perCore(index), perCore(0)).toFixed(2),
        median(values(index, 'perSecond')).toFixed(0),
        medianAndRange(values(index, 'p99Ms'), 1),
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
