/** What does asking partners over HTTP cost? The exchange against bare Express that makes the same three calls. */
import { table } from '../runner/table.ts';
import { contender, exchange, verifyBids, writeAnswer } from './contenders.ts';
import { goal, goalsHead, ratio, spread } from './figures.ts';
import { readMetrics, sumOf } from './machine/metrics.ts';
import { redisPid } from './machine/redis-account.ts';
import type { Running } from './machine/start.ts';
import { startSandbox } from './machine/start-sandbox.ts';
import { folderOfOurs, redisOfOurs } from './machine/with-us.ts';
import { disturbance, endAll, measureCpu, startAll } from './measure.ts';
import { commandWith, writeResults } from './results.ts';
import { connections, rounds, secondsARound } from './settings.ts';
import { writeRequests } from './traffic/write-requests.ts';

const folder = folderOfOurs();
const redisServer = await redisOfOurs();
const redis = redisServer.client();
const sandbox = await startSandbox();
const requests = writeRequests(folder);

/** The sandbox has two bidders; one of them is asked as a third partner too. */
const endpoints = [...sandbox.endpoints, `${sandbox.endpoints[0]}?again`];
const partners = endpoints.map((endpoint, at) => ({ name: `partner-${at}`, adapter: 'openrtb', endpoint }));
const gavel = exchange(redisServer.url, { partners }, folder);
const answerFile = await writeAnswer(gavel, requests.sample, folder);
const bare = contender('bare Express and undici', 'express-undici', {
  ANSWER_FILE: answerFile,
  ENDPOINTS: endpoints.join(' '),
});

/** Throws where the exchange left out a call; the other one answers 500 if one of its calls fails. */
async function verifyCalls(running: Running): Promise<void> {
  const asked = await verifyBids(running);
  const answered = sumOf(await readMetrics(running.admin!), /^exchange_partner_duration_seconds_count\{.*result="bid"/);
  if (answered !== asked * endpoints.length)
    throw new Error(`${asked} requests, but only ${answered} calls that were answered with a bid`);
}

const contenders = [bare, gavel];
const all = await startAll(contenders, 1);
const ground = { redis, requestsFile: requests.file, helpers: [await redisPid(redis), sandbox.pid] };
const cpu = await measureCpu(all, ground);
await verifyCalls(all.at(-1)!);
await endAll(all);

const micros = cpu.map((ofOne) => ofOne.map((one) => one.micros));
const [theirs, own] = micros as [number[], number[]];
writeResults('Fan-out: what three calls cost', commandWith(['BENCH_SECONDS'], 'make bench BENCH=fan-out'), [
  `The request of \`make bench BENCH=exchange\`, put to three \`openrtb\` partners of the sandbox, which answer at once and always bid. Bare Express reads and parses the request, sends it on to the same three, parses their answers and sends a constant. Every request ended 200, every call with a bid.`,
  '',
  `Median (lowest to highest) of ${rounds} interleaved rounds of ${secondsARound} s by wrk with ${connections} connections: CPU of one worker on a core of its own, as the kernel accounts for it. ${disturbance(cpu.flat())}`,
  '',
  ...table(
    ['contender', 'worker CPU µs a request'],
    contenders.map(({ name }, at) => [name, spread(micros[at]!, 1)]),
  ),
  '',
  ...table(goalsHead, [goal('CPU, exchange ÷ bare Express and undici', ratio(own, theirs), '≤', 1.25)]),
]);
process.exit(0);
