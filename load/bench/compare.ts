/** What did a change cost? The exchange of this checkout against that of another one, with and without partner calls. */
import { resolve } from 'node:path';
import { checkoutOf, commitOf } from '../checkouts.ts';
import { commandWith, table, writeResults } from '../results.ts';
import { readMetrics, redisPid } from './machine/counters.ts';
import { startBenchRedis, startSandbox, temporaryFolder } from './machine/start.ts';
import { type CpuRound, describeOtherLoad, measureCpu, startAll } from './measure.ts';
import { countBids, exchange } from './servers.ts';
import { connections, rounds, roundSeconds } from './settings.ts';
import { medianAndRange, ratio } from './statistics.ts';
import { threePartners } from './traffic/http-partners.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';

const base = checkoutOf('BASE');
/** This checkout, unless another is named. */
const compared = process.env.CHECKOUT ? checkoutOf('CHECKOUT') : resolve('.');

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const redis = redisServer.client();
const sandbox = await startSandbox();
const requests = writeRequests(folder);
const context = { redis, requestsFile: requests.path, helpers: [await redisPid(redis), sandbox.pid] };

interface Compared {
  demand: string;
  /** Of the base and of the checkout that is compared with it. */
  cpu: CpuRound[][];
  bidShares: number[];
}

async function compare(demand: string, partners: object): Promise<Compared> {
  const servers = [base, compared].map((checkout) => exchange(redisServer.url, partners, folder, { checkout }));
  const all = await startAll(servers, 1);
  const cpu = await measureCpu(all, context);
  const counts = await Promise.all(all.map(async ({ admin }) => countBids(await readMetrics(admin!))));
  for (const server of all) await server.stop();
  return { demand, cpu, bidShares: counts.map(({ bids, requests: total }) => bids / total) };
}

const results = [
  await compare('three house partners', housePartners),
  await compare('three partners over HTTP', threePartners(sandbox)),
];

const microsOf = (all: readonly CpuRound[]): number[] => all.map(({ micros }) => micros);
const [before, after] = [base, compared].map(commitOf);
writeResults('Comparison with another checkout', commandWith(['BENCH_SECONDS'], 'make bench BENCH=compare'), [
  `The exchange of commit ${after} and that of commit ${before}, both running, loaded in turn with the requests of \`make bench BENCH=exchange\`. CPU time of one worker on a core of its own, as accounted by the kernel: median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s, loaded by wrk with ${connections} connections. The partners share the other core with wrk and Redis, so that some calls are late and some requests end without a bid. ${describeOtherLoad(results.flatMap(({ cpu }) => cpu.flat()))}`,
  '',
  ...table(
    ['demand', `${before}, µs per request`, `${after}, µs per request`, 'ratio', 'requests with a bid'],
    results.map(({ demand, cpu, bidShares }) => {
      const [ofBase, ofCompared] = cpu.map(microsOf) as [number[], number[]];
      const shares = bidShares.map((share) => `${(share * 100).toFixed(1)}%`).join(', ');
      return [
        demand,
        medianAndRange(ofBase, 1),
        medianAndRange(ofCompared, 1),
        ratio(ofCompared, ofBase).toFixed(3),
        shares,
      ];
    }),
  ),
]);
process.exit(0);
