/** What does a new connection with one request cost? The exchange against bare node:cluster. */
import { type Load, offer } from '../overload/open-loop.ts';
import { readRequests } from '../overload/read-requests.ts';
import { commandWith, table, writeResults } from '../results.ts';
import { redisPid } from './machine/counters.ts';
import { cpuMicros } from './machine/processes.ts';
import { type RunningServer, startBenchRedis, temporaryFolder } from './machine/start.ts';
import { describeOtherLoad, pinApart, processesOf, type Round, startAll, stopAll, undisturbed } from './measure.ts';
import { baseline, exchange, recordResponse } from './servers.ts';
import { rounds, roundSeconds, warmUpSeconds } from './settings.ts';
import { goal, goalsHead, medianAndRange, ratio } from './statistics.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';

/** Few, so that the exchange is not overloaded. */
const connections = 16;

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const helpers = [await redisPid(redisServer.client())];
const written = writeRequests(folder);
const requests = readRequests(written.path);
const gavel = exchange(redisServer.url, housePartners, folder);
const bareCluster = baseline('bare node:cluster', 'bare-http', {
  RESPONSE_FILE: await recordResponse(gavel, written.sample, folder),
});
const servers = [bareCluster, gavel];
const all = await startAll(servers, 1);
pinApart(all, helpers);

interface Cost extends Round {
  micros: number;
}
const fresh = all.map((): Cost[] => []);
const kept = all.map((): Cost[] => []);
for (const server of all) for (const isFresh of [true, false]) await load(server, isFresh, warmUpSeconds);
for (let round = 0; round < rounds; round++) {
  for (const [index, server] of all.entries()) {
    fresh[index]!.push(await measure(server, true));
    kept[index]!.push(await measure(server, false));
  }
}
await stopAll(all);
report();
process.exit(0);

function measure(server: RunningServer, isFresh: boolean): Promise<Cost> {
  return undisturbed([process.pid, ...processesOf(all, helpers)], async () => {
    const before = cpuOf(server);
    const succeeded = await load(server, isFresh, roundSeconds);
    return { micros: (cpuOf(server) - before) / succeeded };
  });
}

/** Of the primary, too: it may distribute connections. */
function cpuOf({ primary, workers }: RunningServer): number {
  return [primary, ...workers].reduce((sum, pid) => sum + cpuMicros(pid), 0);
}

/** Throws unless all requests succeed. */
async function load({ url }: RunningServer, isFresh: boolean, seconds: number): Promise<number> {
  const clients: Load['clients'] = { connections, timeoutMs: 10_000, isFresh };
  const port = Number(new URL(url).port);
  const { counts } = await offer({ port, requests, clients, perSecond: Infinity, seconds });
  const { succeeded, ...others } = counts;
  if (Object.values(others).some((count) => count > 0)) throw new Error(`not all succeeded: ${JSON.stringify(counts)}`);
  return succeeded;
}

function report(): void {
  const micros = (costs: readonly Cost[]) => costs.map((cost) => cost.micros);
  writeResults('Connections: cost of a new one', commandWith(['BENCH_SECONDS'], 'make bench BENCH=connections'), [
    `The request of \`make bench BENCH=exchange\`. Bare node:cluster parses it and sends a fixed response. CPU time of a primary and one worker per request: median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s with ${connections} requests at a time, each on a connection of its own or all on kept ones. ${describeOtherLoad([...fresh.flat(), ...kept.flat()])}`,
    '',
    ...table(
      ['server', 'CPU µs per request, new connection', 'kept connection'],
      servers.map(({ name }, index) => [
        name,
        medianAndRange(micros(fresh[index]!), 1),
        medianAndRange(micros(kept[index]!), 1),
      ]),
    ),
    '',
    ...table(goalsHead, [
      goal('new connection, exchange ÷ bare node:cluster', ratio(micros(fresh[1]!), micros(fresh[0]!)), '≤', 1.5),
    ]),
  ]);
}
