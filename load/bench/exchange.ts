/** What does a request cost? The exchange against bare servers and against a plain wiring of the same packages. */
import { statSync } from 'node:fs';
import { commandWith, table, writeResults } from '../results.ts';
import { redisPid } from './machine/counters.ts';
import { peakResidentMiB } from './machine/processes.ts';
import { startBenchRedis, temporaryFolder } from './machine/start.ts';
import {
  type BenchContext,
  type CpuRound,
  describeOtherLoad,
  measureCpu,
  measureSaturated,
  processesOf,
  type Round,
  type SaturatedRound,
  startAll,
  stopAll,
  undisturbed,
  workersMiB,
} from './measure.ts';
import { baseline, exchange, recordResponse, verifyBids } from './servers.ts';
import { connections, rounds, roundSeconds } from './settings.ts';
import { goal, goalsHead, median, medianAndRange, ratio } from './statistics.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';
import { calibrateRate, runWrk, type WrkResult } from './traffic/run-wrk.ts';

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const redis = redisServer.client();
const requests = writeRequests(folder);
const context: BenchContext = { redis, requestsFile: requests.path, helpers: [await redisPid(redis)] };
const gavel = exchange(redisServer.url, housePartners, folder);
const responseFile = await recordResponse(gavel, requests.sample, folder);
const variables = { RESPONSE_FILE: responseFile, REDIS_URL: redisServer.url };

const servers = {
  http: baseline('bare node:http', 'bare-http', variables),
  guide: baseline('bare Express, `express.json` and `response.json`', 'express-guide', variables),
  json: baseline('bare Express, `response.json`', 'express-json', variables),
  head: baseline('bare Express, `writeHead` and `end`', 'express-head', variables),
  plain: baseline('plain wiring', 'plain-wiring', variables),
  gavel,
};
type Name = keyof typeof servers;
const names = Object.keys(servers) as Name[];
/** The servers whose latency is also measured at half their saturation. */
const measuredAtHalf: readonly Name[] = ['head', 'gavel'];
/** For the second figure of the Redis CPU: workers hold tokens of each address for longer. */
const fewAddresses = 100;

async function measurePinned(): Promise<CpuRound[][]> {
  const all = await startAll(Object.values(servers), 1);
  const cpu = await measureCpu(all, context);
  await verifyBids(all.at(-1)!);
  await stopAll(all);
  return cpu;
}

type HalfRound = WrkResult & Round;

interface SharedResults {
  saturated: SaturatedRound[][];
  peaksMiB: number[];
  halves: Map<Name, HalfRound[]>;
  /** The exchange, saturated from 100 addresses. */
  few: SaturatedRound[];
}

async function measureShared(): Promise<SharedResults> {
  const all = await startAll(Object.values(servers), 2);
  const saturated = await measureSaturated(all, context);
  const peaksMiB = all.map((running) => workersMiB(running, peakResidentMiB));
  const halves = new Map<Name, HalfRound[]>();
  for (const name of measuredAtHalf) {
    const index = names.indexOf(name);
    const halfRate = median(saturated[index]!.map(({ perSecond }) => perSecond)) / 2;
    const target = { url: all[index]!.url, requestsFile: requests.path };
    const paced = await calibrateRate(target, halfRate);
    const load = () => runWrk({ ...target, ...paced, seconds: roundSeconds });
    const measured: HalfRound[] = [];
    for (let round = 0; round < rounds; round++)
      measured.push(await undisturbed(processesOf(all, context.helpers), load));
    halves.set(name, measured);
  }
  const requestsFile = writeRequests(folder, fewAddresses).path;
  const [few] = await measureSaturated(all.slice(-1), { ...context, requestsFile });
  await verifyBids(all.at(-1)!);
  await stopAll(all);
  return { saturated, peaksMiB, halves, few: few! };
}

const cpu = await measurePinned();
const { saturated, peaksMiB, halves, few } = await measureShared();
const micros = cpu.map((roundsOfOne) => roundsOfOne.map((round) => round.micros));
const values = (index: number, metric: keyof SaturatedRound): number[] =>
  saturated[index]!.map((round) => round[metric]);
const rows = names.map((name, index) => [
  servers[name].name,
  medianAndRange(micros[index]!, 1),
  medianAndRange(values(index, 'perSecond'), 0),
  median(values(index, 'p50Ms')).toFixed(1),
  median(values(index, 'p99Ms')).toFixed(1),
  median(values(index, 'redisMicros')).toFixed(1),
  peaksMiB[index]!.toFixed(0),
]);
const atHalf = (name: Name, metric: keyof HalfRound): number[] => halves.get(name)!.map((round) => round[metric]);
const halfRows = measuredAtHalf.map((name) => [
  servers[name].name,
  median(atHalf(name, 'perSecond')).toFixed(0),
  median(atHalf(name, 'p50Ms')).toFixed(1),
  medianAndRange(atHalf(name, 'p99Ms'), 1),
  Math.max(...atHalf(name, 'maxMs')).toFixed(1),
]);

const cpuOf = (name: Name): number[] => micros[names.indexOf(name)]!;
const rateOf = (name: Name): number[] => values(names.indexOf(name), 'perSecond');
const goals = [
  ...(['head', 'json', 'guide'] as const).flatMap((name) => [
    goal(`CPU, exchange ÷ ${servers[name].name}`, ratio(cpuOf('gavel'), cpuOf(name)), '≤', 1.25),
    goal(`throughput, exchange ÷ ${servers[name].name}`, ratio(rateOf('gavel'), rateOf(name)), '≥', 0.85),
  ]),
  goal('CPU, plain wiring ÷ exchange', ratio(cpuOf('plain'), cpuOf('gavel')), '≥', 4),
  goal('Redis CPU per request, 2,000 addresses', median(values(names.indexOf('gavel'), 'redisMicros')), '<', 5, ' µs'),
  goal(
    `Redis CPU per request, ${fewAddresses} addresses`,
    median(few.map(({ redisMicros }) => redisMicros)),
    '<',
    1,
    ' µs',
  ),
  goal('p99 of the exchange at half of saturation', median(atHalf('gavel', 'p99Ms')), '<', 20, ' ms'),
];

writeResults('Exchange: cost of a request', commandWith(['BENCH_SECONDS'], 'make bench BENCH=exchange'), [
  `Requests of integration level 4 with ${Buffer.byteLength(requests.sample)} bytes, from 2,000 addresses and 50 publishers; every response was 200 with ${statSync(responseFile).size} bytes. The exchange runs with Redis, default logging and metrics, and three house partners that bid. The plain wiring uses the same packages without an auction.`,
  '',
  `Median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s, loaded by wrk with one thread and ${connections} connections. Worker CPU: one worker on a core of its own, as accounted by the kernel. All other columns: two workers, Redis and wrk share the cores; memory is the peak of both workers. ${describeOtherLoad([...cpu.flat(), ...saturated.flat(), ...[...halves.values()].flat(), ...few])}`,
  '',
  ...table(
    [
      'server',
      'worker CPU µs per request',
      'requests per second',
      'p50 ms',
      'p99 ms',
      'Redis CPU µs per request',
      'memory MiB',
    ],
    rows,
  ),
  '',
  'At half of that rate, with exponentially distributed pauses between requests:',
  '',
  ...table(['server', 'requests per second', 'p50 ms', 'p99 ms', 'max ms'], halfRows),
  '',
  ...table(goalsHead, goals),
]);
process.exit(0);
