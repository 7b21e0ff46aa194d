/** Where does the CPU time of a request go? A CPU profile of one worker under the load of the benchmarks. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from '../results.ts';
import { type CpuProfile, groupOf, locationOf, nameOf, nowMicros, type SelfTime, selfTimes } from './cpu-profile.ts';
import { redisPid } from './machine/counters.ts';
import { startBenchRedis, startSandbox, temporaryFolder } from './machine/start.ts';
import { pinApart, stopAll } from './measure.ts';
import { exchange, verifyBids } from './servers.ts';
import { connections, roundSeconds, warmUpSeconds } from './settings.ts';
import { threePartners, waitForAll } from './traffic/http-partners.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';
import { runWrk } from './traffic/run-wrk.ts';

const topFunctions = 40;
const samplingMicros = 500;

/** Kept after the run, for other profile viewers. */
const profilesFolder = mkdtempSync(join(tmpdir(), 'gavel-profile-'));
const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const requestsFile = writeRequests(folder).path;
/** PROFILE=fan-out: with the three partners over HTTP of `make bench BENCH=fan-out`. */
const sandbox = process.env.PROFILE === 'fan-out' ? await startSandbox() : undefined;
const running = await exchange(redisServer.url, sandbox ? threePartners(sandbox) : housePartners, folder, {
  overrides: {
    ...(sandbox && waitForAll),
    NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=${samplingMicros} --cpu-prof-dir=${profilesFolder}`,
  },
}).start(1);
pinApart([running], [await redisPid(redisServer.client()), ...(sandbox ? [sandbox.pid] : [])]);

const load = (seconds: number) => runWrk({ url: running.url, requestsFile, connections, seconds });
await load(warmUpSeconds);
const from = nowMicros();
const { requests, perSecond } = await load(roundSeconds);
const to = nowMicros();
await verifyBids(running);
await stopAll([running]);

const [worker] = running.workers;
const file = join(
  profilesFolder,
  readdirSync(profilesFolder).find((name) => name.includes(`.${worker}.`))!,
);
const times = selfTimes(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile, from, to);
const total = sum(times);

function sum(all: readonly SelfTime[]): number {
  return all.reduce((micros, time) => micros + time.micros, 0);
}

const cells = (micros: number): string[] => [(micros / requests).toFixed(2), `${((micros / total) * 100).toFixed(1)}%`];

const groups = [...Map.groupBy(times, ({ frame }) => groupOf(frame))]
  .map(([name, members]) => ({ name, micros: sum(members) }))
  .sort((a, b) => b.micros - a.micros);
const lines = [
  `${requests} requests, ${perSecond.toFixed(0)} per second; ${(total / requests).toFixed(1)} µs per request without idle time`,
  '',
  ...table(
    ['folder, package or module', 'µs per request', 'share'],
    groups.map(({ name, micros }) => [name, ...cells(micros)]),
  ),
  '',
  ...table(
    ['function', 'µs per request', 'share', 'location'],
    times.slice(0, topFunctions).map(({ frame, micros }) => [nameOf(frame), ...cells(micros), locationOf(frame)]),
  ),
  '',
  file,
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exit(0);
