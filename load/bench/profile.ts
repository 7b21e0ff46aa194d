/** Where does the time of a request go? A CPU profile of one worker under the load of the benchmarks, summed up. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from '../runner/table.ts';
import { exchange, verifyBids } from './contenders.ts';
import { redisPid } from './machine/redis-account.ts';
import { folderOfOurs, redisOfOurs } from './machine/with-us.ts';
import { endAll, pinApart } from './measure.ts';
import { groupOf, nameOf, placeOf } from './profiling/place.ts';
import { type CpuProfile, nowMicros, selfTimes, type SelfTime } from './profiling/self-times.ts';
import { connections, secondsARound, warmUpSeconds } from './settings.ts';
import { housePartners } from './traffic/house-partners.ts';
import { runWrk } from './traffic/run-wrk.ts';
import { writeRequests } from './traffic/write-requests.ts';

const topFunctions = 40;
const samplingMicros = 500;

/** It stays, for a look at the profile with other tools. */
const profiles = mkdtempSync(join(tmpdir(), 'gavel-profile-'));
const folder = folderOfOurs();
const redisServer = await redisOfOurs();
const requestsFile = writeRequests(folder).file;
const running = await exchange(redisServer.url, housePartners, folder, {
  NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=${samplingMicros} --cpu-prof-dir=${profiles}`,
}).start(1);
pinApart([running], [await redisPid(redisServer.client())]);

const load = (seconds: number) => runWrk({ url: running.url, requestsFile, connections, seconds });
await load(warmUpSeconds);
const from = nowMicros();
const { requests, perSecond } = await load(secondsARound);
const to = nowMicros();
await verifyBids(running);
await endAll([running]);

const [worker] = running.workers;
const file = join(
  profiles,
  readdirSync(profiles).find((name) => name.includes(`.${worker}.`))!,
);
const times = selfTimes(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile, from, to);
const total = sum(times);

function sum(all: readonly SelfTime[]): number {
  return all.reduce((micros, time) => micros + time.micros, 0);
}

const figures = (micros: number): string[] => [
  (micros / requests).toFixed(2),
  `${((micros / total) * 100).toFixed(1)}%`,
];

const groups = [...Map.groupBy(times, ({ frame }) => groupOf(frame))]
  .map(([name, members]) => ({ name, micros: sum(members) }))
  .sort((a, b) => b.micros - a.micros);
const lines = [
  `${requests} requests, ${perSecond.toFixed(0)} a second; ${(total / requests).toFixed(1)} µs a request, idle time left out`,
  '',
  ...table(
    ['where', 'µs a request', 'share'],
    groups.map(({ name, micros }) => [name, ...figures(micros)]),
  ),
  '',
  ...table(
    ['function', 'µs a request', 'share', 'place'],
    times.slice(0, topFunctions).map(({ frame, micros }) => [nameOf(frame), ...figures(micros), placeOf(frame)]),
  ),
  '',
  file,
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exit(0);
