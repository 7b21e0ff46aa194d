/** What do HTTP calls to partners cost? The exchange against bare Express that makes the same three calls. */
import { commandWith, table, writeResults } from '../results.ts';
import { readMetrics, redisPid, sumOf } from './machine/counters.ts';
import { type RunningServer, startBenchRedis, startSandbox, temporaryFolder } from './machine/start.ts';
import { describeOtherLoad, measureCpu, startAll, stopAll } from './measure.ts';
import { baseline, exchange, recordResponse, verifyBids } from './servers.ts';
import { connections, rounds, roundSeconds } from './settings.ts';
import { goal, goalsHead, medianAndRange, ratio } from './statistics.ts';
import { endpointsOf, threePartners, waitForAll } from './traffic/http-partners.ts';
import { writeRequests } from './traffic/requests.ts';

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const redis = redisServer.client();
const sandbox = await startSandbox();
const requests = writeRequests(folder);

const endpoints = endpointsOf(sandbox);
const gavel = exchange(redisServer.url, threePartners(sandbox), folder, { overrides: waitForAll });
const bareExpress = baseline('bare Express and undici', 'express-undici', {
  RESPONSE_FILE: await recordResponse(gavel, requests.sample, folder),
  ENDPOINTS: endpoints.join(' '),
});

/** Below 1, because the exchange does not wait for a call that takes longer than the soft timeout. */
const minBidShare = 0.999;

/** Throws if too few calls of the exchange returned a bid. (The baseline responds with 500 if a call fails.) Returns their share. */
async function verifyCalls(running: RunningServer): Promise<number> {
  const expected = (await verifyBids(running)) * endpoints.length;
  const metrics = await readMetrics(running.admin!);
  const calls = sumOf(metrics, /^exchange_partner_duration_seconds_count/);
  const bids = sumOf(metrics, /^exchange_partner_duration_seconds_count\{.*result="bid"/);
  if (bids < expected * minBidShare) throw new Error(`only ${bids} of ${expected} calls returned a bid`);
  return bids / calls;
}

const servers = [bareExpress, gavel];
const all = await startAll(servers, 1);
const context = { redis, requestsFile: requests.path, helpers: [await redisPid(redis), sandbox.pid] };
const cpu = await measureCpu(all, context);
const bidShare = await verifyCalls(all.at(-1)!);
await stopAll(all);

const micros = cpu.map((roundsOfOne) => roundsOfOne.map((round) => round.micros));
const [expressMicros, exchangeMicros] = micros as [number[], number[]];
writeResults('Fan-out: cost of three partner calls', commandWith(['BENCH_SECONDS'], 'make bench BENCH=fan-out'), [
  `The request of \`make bench BENCH=exchange\`, sent to three \`openrtb\` partners of the sandbox, which respond immediately and always bid. Bare Express parses the request, forwards it to the same three partners, parses their responses and sends a fixed response. Every response was 200; ${(bidShare * 100).toFixed(2)}% of the exchange's calls returned a bid.`,
  '',
  `CPU time of one worker on a core of its own, as accounted by the kernel: median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s, loaded by wrk with ${connections} connections. ${describeOtherLoad(cpu.flat())}`,
  '',
  ...table(
    ['server', 'worker CPU µs per request'],
    servers.map(({ name }, index) => [name, medianAndRange(micros[index]!, 1)]),
  ),
  '',
  ...table(goalsHead, [goal('CPU, exchange ÷ bare Express and undici', ratio(exchangeMicros, expressMicros), '≤', 1)]),
]);
process.exit(0);
