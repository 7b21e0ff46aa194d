/** How does the exchange compare with Prebid Server Go? The same requests and partners, saturated and at half load. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandWith, table, writeResults } from '../results.ts';
import { readMetrics, redisPid } from './machine/counters.ts';
import { startBenchRedis, startSandbox, temporaryFolder } from './machine/start.ts';
import { describeOtherLoad } from './measure.ts';
import { tmax, writePeerRequests } from './peers/peer-requests.ts';
import { measureAtHalf, measureSaturated, type Peer, type PeerRound, serverMiB, warmUp } from './peers/peer-rounds.ts';
import { build, requireCheckout, startPrebidServer, versionOf } from './peers/prebid-server.ts';
import { countBids, exchange } from './servers.ts';
import { connections, rounds, roundSeconds } from './settings.ts';
import { goal, goalsHead, median, medianAndRange, ratio } from './statistics.ts';
import { endpointsOf, threePartners } from './traffic/http-partners.ts';

const workers = 2;
/** As long as the tmax of the requests: like Prebid Server, the exchange waits for all partners. */
const timeouts = { TIMEOUT_MS: String(tmax), SOFT_TIMEOUT_MS: String(tmax) };
/** A circuit breaker that opened during the warm-up closes within this time. */
const settleMs = 10_000;
const checkout = requireCheckout();
const folder = temporaryFolder();
const binary = build(checkout, folder);
const redis = await startBenchRedis();
const sandbox = await startSandbox();
const requests = writePeerRequests(folder);

const endpoints = endpointsOf(sandbox);
const gavel: Peer = {
  name: 'the exchange',
  running: await exchange(redis.url, threePartners(sandbox), folder, { overrides: timeouts }).start(workers),
  requestsFile: requests.exchange.path,
  helpers: [await redisPid(redis.client())],
};
await warmUp(gavel);
const memoryMiB = Math.round(serverMiB(gavel.running));
const peers = [
  gavel,
  await prebidServer('Prebid Server, default memory', 'default', {}),
  await prebidServer('Prebid Server, equal memory', 'equal', { GOGC: 'off', GOMEMLIMIT: `${memoryMiB}MiB` }),
];
for (const peer of peers) {
  await warmUp(peer);
  await requireBids(peer);
}
const saturated = await measureSaturated(peers, sandbox);
const half = await measureAtHalf(peers, sandbox, saturated);
for (const peer of peers) await requireBids(peer);
const { requests: total, bids } = countBids(await readMetrics(gavel.running.admin!));
for (const { running } of peers) await running.stop();
report();
process.exit(0);

async function prebidServer(name: string, subfolder: string, variables: Record<string, string>): Promise<Peer> {
  const options = { binary, checkout, folder: join(folder, subfolder), endpoints, variables };
  return { name, running: await startPrebidServer(options), requestsFile: requests.prebidServer.path, helpers: [] };
}

/** The exchange responds with the best bid, Prebid Server with the bids of all partners. */
async function requireBids({ name, running }: Peer): Promise<void> {
  const expected = name === gavel.name ? 1 : endpoints.length;
  const deadlineMs = performance.now() + settleMs;
  for (;;) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(running.url, { method: 'POST', headers, body: requests.exchange.sample });
    const text = await response.text();
    const seats = response.status === 200 ? ((JSON.parse(text) as { seatbid?: object[] }).seatbid ?? []).length : 0;
    if (seats === expected) return;
    if (performance.now() > deadlineMs)
      throw new Error(`${name}: expected bids of ${expected} seats; got ${response.status} ${text}`);
    await sleep(200);
  }
}

function report(): void {
  const head = [
    'server',
    'requests per core',
    'requests per second',
    'p50 ms',
    'p99 ms',
    'memory MiB',
    'partner CPU µs',
  ];
  const rows = (all: readonly PeerRound[][]): string[][] =>
    peers.map(({ name }, index) => {
      const of = (metric: keyof PeerRound) => all[index]!.map((round) => round[metric]);
      return [
        name,
        medianAndRange(of('perCore'), 0),
        medianAndRange(of('perSecond'), 0),
        median(of('p50Ms')).toFixed(1),
        medianAndRange(of('p99Ms'), 1),
        median(of('residentMiB')).toFixed(0),
        median(of('partnerMicros')).toFixed(0),
      ];
    });
  writeResults('Peers: Prebid Server Go', commandWith(['BENCH_SECONDS'], 'make bench BENCH=peers'), [
    `Prebid Server ${versionOf(checkout)}, built from source, and the exchange with ${workers} workers and Redis. Both get the same requests of ${Buffer.byteLength(requests.exchange.sample)} bytes and call the same three OpenRTB partners of the sandbox, which respond immediately and always bid. Prebid Server runs without stored requests, GDPR, currency rates and metrics export, and keeps up to 500 idle connections per partner; it has no rate limits. Equal memory: \`GOGC=off\` and \`GOMEMLIMIT=${memoryMiB}MiB\`, the resident memory of the exchange after its warm-up.`,
    '',
    `Requests per core: requests per second of CPU time of the server, all processes and threads; that of the exchange includes its Redis. Partner CPU: CPU time of the partners per request; it is similar if both make all calls. ${((bids / total) * 100).toFixed(2)}% of the requests to the exchange ended with a bid. Median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s; servers, partners, Redis and wrk share the cores. ${describeOtherLoad([...saturated.flat(), ...half.flat()])}`,
    '',
    `Saturated, wrk with ${connections} connections:`,
    '',
    ...table(head, rows(saturated)),
    '',
    'At the same fixed rate, half of what the slowest server reached, with exponentially distributed pauses between requests:',
    '',
    ...table(head, rows(half)),
    '',
    ...table(goalsHead, [...goals('saturated', saturated, [3, 2.5, 1]), ...goals('half load', half, [2, 1.8, 0.8])]),
  ]);
}

/** The ratios of the exchange to Prebid Server. */
function goals(load: string, all: readonly PeerRound[][], [perDefault, perEqual, p99]: [number, number, number]) {
  const of = (index: number, metric: keyof PeerRound) => all[index]!.map((round) => round[metric]);
  return [
    goal(`${load}: requests per core ÷ default memory`, ratio(of(0, 'perCore'), of(1, 'perCore')), '≥', perDefault),
    goal(`${load}: requests per core ÷ equal memory`, ratio(of(0, 'perCore'), of(2, 'perCore')), '≥', perEqual),
    goal(`${load}: p99 ÷ equal memory`, ratio(of(0, 'p99Ms'), of(2, 'p99Ms')), '≤', p99),
  ];
}
