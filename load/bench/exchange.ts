/** What does a request cost? The exchange against the bare server below it and the plain wiring of its packages. */
import { statSync } from 'node:fs';
import { table } from '../runner/table.ts';
import { contender, exchange, verifyBids, writeAnswer } from './contenders.ts';
import { goal, goalsHead, median, ratio, spread } from './figures.ts';
import { peakResidentMiB } from './machine/processes.ts';
import { redisPid } from './machine/redis-account.ts';
import { folderOfOurs, redisOfOurs } from './machine/with-us.ts';
import {
  type CpuRound,
  disturbance,
  endAll,
  measureCpu,
  measureSaturated,
  memoryMiB,
  processesOf,
  type Round,
  type SaturatedRound,
  startAll,
  undisturbed,
} from './measure.ts';
import { commandWith, writeResults } from './results.ts';
import { connections, rounds, secondsARound } from './settings.ts';
import { housePartners } from './traffic/house-partners.ts';
import { paceFor } from './traffic/pace.ts';
import { runWrk, type WrkFigures } from './traffic/run-wrk.ts';
import { writeRequests } from './traffic/write-requests.ts';

const folder = folderOfOurs();
const redisServer = await redisOfOurs();
const redis = redisServer.client();
const requests = writeRequests(folder);
const ground = { redis, requestsFile: requests.file, helpers: [await redisPid(redis)] };
const gavel = exchange(redisServer.url, housePartners, folder);
const answerFile = await writeAnswer(gavel, requests.sample, folder);
const variables = { ANSWER_FILE: answerFile, REDIS_URL: redisServer.url };

const contenders = {
  http: contender('bare node:http', 'bare-http', variables),
  guide: contender('bare Express, `express.json` and `response.json`', 'express-guide', variables),
  json: contender('bare Express, `response.json`', 'express-json', variables),
  head: contender('bare Express, `writeHead` and `end`', 'express-head', variables),
  plain: contender('the plain wiring', 'plain-wiring', variables),
  gavel,
};
type Name = keyof typeof contenders;
const names = Object.keys(contenders) as Name[];
/** Those whose latency at half of their saturation is measured. */
const atHalf: readonly Name[] = ['head', 'gavel'];

async function pinned(): Promise<CpuRound[][]> {
  const all = await startAll(Object.values(contenders), 1);
  const cpu = await measureCpu(all, ground);
  await verifyBids(all.at(-1)!);
  await endAll(all);
  return cpu;
}

type Half = WrkFigures & Round;

interface Shared {
  saturated: SaturatedRound[][];
  peaksMiB: number[];
  halves: Map<Name, Half[]>;
}

async function shared(): Promise<Shared> {
  const all = await startAll(Object.values(contenders), 2);
  const saturated = await measureSaturated(all, ground);
  const peaksMiB = all.map((running) => memoryMiB(running, peakResidentMiB));
  const halves = new Map<Name, Half[]>();
  for (const name of atHalf) {
    const at = names.indexOf(name);
    const rate = median(saturated[at]!.map(({ perSecond }) => perSecond)) / 2;
    const target = { url: all[at]!.url, requestsFile: requests.file };
    const pace = await paceFor(target, rate);
    const load = () => runWrk({ ...target, ...pace, seconds: secondsARound });
    const measured: Half[] = [];
    for (let round = 0; round < rounds; round++)
      measured.push(await undisturbed(processesOf(all, ground.helpers), load));
    halves.set(name, measured);
  }
  await verifyBids(all.at(-1)!);
  await endAll(all);
  return { saturated, peaksMiB, halves };
}

const cpu = await pinned();
const { saturated, peaksMiB, halves } = await shared();
const micros = cpu.map((ofOne) => ofOne.map((one) => one.micros));
const figure = (at: number, what: keyof SaturatedRound): number[] => saturated[at]!.map((one) => one[what]);
const rows = names.map((name, at) => [
  contenders[name].name,
  spread(micros[at]!, 1),
  spread(figure(at, 'perSecond'), 0),
  median(figure(at, 'p50Ms')).toFixed(1),
  median(figure(at, 'p99Ms')).toFixed(1),
  median(figure(at, 'redisMicros')).toFixed(1),
  peaksMiB[at]!.toFixed(0),
]);
const halfOf = (name: Name, what: keyof Half): number[] => halves.get(name)!.map((one) => one[what]);
const halfRows = atHalf.map((name) => [
  contenders[name].name,
  median(halfOf(name, 'perSecond')).toFixed(0),
  median(halfOf(name, 'p50Ms')).toFixed(1),
  spread(halfOf(name, 'p99Ms'), 1),
  Math.max(...halfOf(name, 'longestMs')).toFixed(1),
]);

const cpuOf = (name: Name): number[] => micros[names.indexOf(name)]!;
const rateOf = (name: Name): number[] => figure(names.indexOf(name), 'perSecond');
const against = (['head', 'json', 'guide'] as const).flatMap((name) => [
  goal(`CPU, exchange ÷ ${contenders[name].name}`, ratio(cpuOf('gavel'), cpuOf(name)), '≤', 1.25),
  goal(`saturated, exchange ÷ ${contenders[name].name}`, ratio(rateOf('gavel'), rateOf(name)), '≥', 0.8),
]);
const goals = [
  ...against,
  goal('CPU, plain wiring ÷ exchange', ratio(cpuOf('plain'), cpuOf('gavel')), '≥', 4),
  goal('Redis CPU a request', median(figure(names.indexOf('gavel'), 'redisMicros')), '≤', 10, ' µs'),
  goal('p99 of the exchange at half of its saturation', median(halfOf('gavel', 'p99Ms')), '<', 20, ' ms'),
];

writeResults('Exchange: what a request costs', commandWith(['BENCH_SECONDS'], 'make bench BENCH=exchange'), [
  `One request of level 4 and ${Buffer.byteLength(requests.sample)} bytes from 2,000 addresses and 50 publishers; every answer 200 with ${statSync(answerFile).size} bytes. The exchange keeps its limits in Redis, logs and counts as by default, and asks three house partners that bid. The plain wiring does all but the auction.`,
  '',
  `Median (lowest to highest) of ${rounds} interleaved rounds of ${secondsARound} s by wrk, one thread and ${connections} connections. CPU: of one worker on a core of its own, as the kernel accounts for it. The rest: two workers, Redis and wrk sharing the cores; memory is the peak of both workers. ${disturbance([...cpu.flat(), ...saturated.flat(), ...[...halves.values()].flat()])}`,
  '',
  ...table(
    [
      'contender',
      'worker CPU µs a request',
      'requests a second',
      'p50 ms',
      'p99 ms',
      'Redis CPU µs a request',
      'memory MiB',
    ],
    rows,
  ),
  '',
  'At half of those requests a second, with pauses between requests that are distributed exponentially:',
  '',
  ...table(['contender', 'requests a second', 'p50 ms', 'p99 ms', 'longest ms'], halfRows),
  '',
  ...table(goalsHead, goals),
]);
process.exit(0);
