/** What did a change cost? The exchange of this checkout against that of another one, with and without partner calls. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandWith, table, writeResults } from '../results.ts';
import { redisPid } from './machine/counters.ts';
import { startBenchRedis, startSandbox, temporaryFolder } from './machine/start.ts';
import { type CpuRound, describeOtherLoad, measureCpu, startAll, stopAll } from './measure.ts';
import { exchange, verifyBids } from './servers.ts';
import { connections, rounds, roundSeconds } from './settings.ts';
import { medianAndRange, ratio } from './statistics.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';

const base = resolve(process.env.BASE ?? '');
if (!process.env.BASE || !existsSync(join(base, 'src/main.ts'))) {
  process.stderr.write('BASE must be the folder of another checkout, with its packages installed\n');
  process.exit(2);
}

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const redis = redisServer.client();
const sandbox = await startSandbox();
const requests = writeRequests(folder);
const context = { redis, requestsFile: requests.path, helpers: [await redisPid(redis), sandbox.pid] };

/** The rounds of the base and of this checkout. */
async function compare(partners: object, minBidShare: number): Promise<[CpuRound[], CpuRound[]]> {
  const servers = [base, ''].map((checkout) => exchange(redisServer.url, partners, folder, { checkout }));
  const all = await startAll(servers, 1);
  const measured = await measureCpu(all, context);
  for (const running of all) await verifyBids(running, minBidShare);
  await stopAll(all);
  return measured as [CpuRound[], CpuRound[]];
}

const endpoints = [...sandbox.endpoints, `${sandbox.endpoints[0]}?again`];
const remotePartners = endpoints.map((endpoint, index) => ({ name: `partner-${index}`, adapter: 'openrtb', endpoint }));
/** Partner calls compete with wrk for a core, and a call that takes longer than the auction is cancelled. */
const demands: [name: string, partners: object, minBidShare: number][] = [
  ['three house partners', housePartners, 1],
  ['three partners over HTTP', { partners: remotePartners }, 0.99],
];

const results: [name: string, rounds: [CpuRound[], CpuRound[]]][] = [];
for (const [name, partners, minBidShare] of demands) results.push([name, await compare(partners, minBidShare)]);

const microsOf = (all: readonly CpuRound[]): number[] => all.map(({ micros }) => micros);
const commit = execFileSync('git', ['-C', base, 'describe', '--always', '--dirty']).toString().trim();
writeResults('Comparison with another checkout', commandWith(['BENCH_SECONDS'], 'make bench BENCH=compare'), [
  `The exchange of this checkout and that of commit ${commit}, both running, loaded in turn with the requests of \`make bench BENCH=exchange\`. CPU time of one worker on a core of its own, as accounted by the kernel: median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s, loaded by wrk with ${connections} connections. ${describeOtherLoad(results.flatMap(([, all]) => all.flat()))}`,
  '',
  ...table(
    ['demand', `${commit}, µs per request`, 'this checkout, µs per request', 'ratio'],
    results.map(([name, [before, after]]) => [
      name,
      medianAndRange(microsOf(before), 1),
      medianAndRange(microsOf(after), 1),
      ratio(microsOf(after), microsOf(before)).toFixed(3),
    ]),
  ),
]);
process.exit(0);
