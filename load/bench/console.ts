/** What does a client on the console's live stream cost the worker? One exchange, with and without the client in turn. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { offer } from '../overload/open-loop.ts';
import { readRequests } from '../overload/read-requests.ts';
import { commandWith, table, writeResults } from '../results.ts';
import { redisPid } from './machine/counters.ts';
import { cpuMicros } from './machine/processes.ts';
import { startBenchRedis, temporaryFolder } from './machine/start.ts';
import { type CpuRound, describeOtherLoad, pinApart, processesOf, stopAll, undisturbed } from './measure.ts';
import { exchange } from './servers.ts';
import { roundSeconds, warmUpSeconds } from './settings.ts';
import { goal, goalsHead, median, medianAndRange, percent } from './statistics.ts';
import { housePartners } from './traffic/house-partners.ts';
import { writeRequests } from './traffic/requests.ts';

const perSecond = 1_000;
/** More than other benchmarks: 2% are to be told from the noise of a worker that is mostly idle. */
const rounds = 20;
const clients = { connections: 64, timeoutMs: 1_000, isFresh: false };

const folder = temporaryFolder();
const redisServer = await startBenchRedis();
const helpers = [await redisPid(redisServer.client())];
const requests = readRequests(writeRequests(folder).path);
const server = await exchange(redisServer.url, housePartners, folder).start(1);
pinApart([server], helpers);

/** Without requests: what the stream takes can be told from little else. */
const idleSeconds = 10;
const idleRounds = 3;
const idle: number[] = [];
const idleWatched: number[] = [];

const quiet: CpuRound[] = [];
const watched: CpuRound[] = [];
let events = 0;
/** The highest share of requests of a round that did not succeed. */
let shed = 0;
await load(warmUpSeconds);
for (let round = 0; round < rounds; round++) {
  // The order alternates, so that a drift of the machine does not favour one of them.
  const order = round % 2 === 0 ? [false, true] : [true, false];
  for (const isWatched of order) (isWatched ? watched : quiet).push(await measure(isWatched));
}
for (let round = 0; round < idleRounds; round++) {
  idle.push(await measureIdle(false));
  idleWatched.push(await measureIdle(true));
}
await stopAll([server]);
report();
process.exit(0);

function measure(isWatched: boolean): Promise<CpuRound> {
  return undisturbed([process.pid, ...processesOf([server], helpers)], async () => {
    const stop = isWatched ? await watch() : () => {};
    const before = cpuMicros(server.workers[0]!);
    const { succeeded, due } = await load(roundSeconds);
    shed = Math.max(shed, 1 - succeeded / due);
    const micros = (cpuMicros(server.workers[0]!) - before) / succeeded;
    stop();
    return { micros };
  });
}

/** The CPU time of the worker, in milliseconds per second. */
async function measureIdle(isWatched: boolean): Promise<number> {
  const stop = isWatched ? await watch() : () => {};
  const before = cpuMicros(server.workers[0]!);
  await sleep(idleSeconds * 1_000);
  const micros = cpuMicros(server.workers[0]!) - before;
  stop();
  return micros / 1_000 / idleSeconds;
}

/** Does what the page does: loads the history, then reads the stream. Returns what ends it; throws if there was no event. */
async function watch(): Promise<() => void> {
  const api = `${server.admin!}/console/api`;
  const history = await fetch(`${api}/history`);
  await history.arrayBuffer();
  const request = get(`${api}/live`);
  const [stream] = (await once(request, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`the live stream responded with ${stream.statusCode}`);
  const before = events;
  stream.on('data', (chunk: Buffer) => {
    if (chunk.includes('data: ')) events++;
  });
  stream.on('error', () => {}); // it is aborted below
  return () => {
    request.destroy();
    if (events === before) throw new Error('the live stream sent no sample');
  };
}

async function load(seconds: number): Promise<{ succeeded: number; due: number }> {
  const port = Number(new URL(server.url).port);
  const { counts, due } = await offer({ port, requests, clients, perSecond, seconds });
  return { succeeded: counts.succeeded, due };
}

/** What the first metric shows where there is no difference. */
function noiseOf(micros: readonly number[]): number {
  const half = (rest: number) => median(micros.filter((_, round) => round % 2 === rest));
  return half(0) / half(1);
}

/** Microseconds per request are milliseconds per thousand requests. */
function idlePercent(micros: readonly number[]): number {
  return (100 * (median(idleWatched) - median(idle))) / ((median(micros) * perSecond) / 1_000);
}

function report(): void {
  const micros = (costs: readonly CpuRound[]) => costs.map((cost) => cost.micros);
  writeResults(
    'Console: cost of a client on the live stream',
    commandWith(['BENCH_SECONDS'], 'make bench BENCH=console'),
    [
      `The request of \`make bench BENCH=exchange\`, ${perSecond} per second. CPU time of one worker per request: median (lowest to highest) of ${rounds} interleaved rounds of ${roundSeconds} s, without and with a client on \`/console/api/live\`, which received ${events} samples. At most ${percent(shed)} of the requests of a round were shed. ${describeOtherLoad([...quiet, ...watched])}`,
      '',
      `Also without requests, ${idleRounds} rounds of ${idleSeconds} s each: what the stream takes there, divided by what ${perSecond} requests per second take, decides: 2% cannot be told from the noise of the first metric.`,
      '',
      ...table(
        ['live stream', 'CPU µs per request', 'CPU ms per second, no requests'],
        [
          ['no client', medianAndRange(micros(quiet), 1), medianAndRange(idle, 2)],
          ['one client', medianAndRange(micros(watched), 1), medianAndRange(idleWatched, 2)],
        ],
      ),
      '',
      ...table(goalsHead, [
        ['one client ÷ no client, medians', (median(micros(watched)) / median(micros(quiet))).toFixed(3), '', ''],
        ['noise: no client in even rounds ÷ in odd rounds, medians', noiseOf(micros(quiet)).toFixed(3), '', ''],
        goal('what the stream takes ÷ what the requests take, %', idlePercent(micros(quiet)), '<', 2),
      ]),
    ],
  );
}
