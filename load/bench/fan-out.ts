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

/** Of the exchange's calls; one that takes beyond the soft budget of its auction is not waited for. */
const leastAnswered = 0.999;

/** Throws where the exchange left out calls; the other one answers 500 if one of its calls fails. Returns their share. */
async function verifyCalls(running: Running): Promise<number> {
  const calls = (await verifyBids(running)) * endpoints.length;
  const answered = sumOf(await readMetrics(running.admin!), /^exchange_partner_duration_seconds_count\{.*result="bid"/);
  if (answered < calls * leastAnswered) throw new Error(`only ${answered} of ${calls} calls were answered with a bid`);
  return answered / calls;
}

const contenders = [bare, gavel];
const all = await startAll(contenders, 1);
const ground = { redis, requestsFile: requests.file, helpers: [await redisPid(redis), sandbox.pid] };
const cpu = await measureCpu(all, ground);
const answeredShare = await verifyCalls(all.at(-1)!);
await endAll(all);

const micros = cpu.map((ofOne) => ofOne.map((one) => one.micros));
const [theirs, own] = micros as [number[], number[]];
writeResults('Fan-out: what three calls cost', commandWith(['BENCH_SECONDS'], 'make bench BENCH=fan-out'), [
  `The request of \`make bench BENCH=exchange\`, put to three \`openrtb\` partners of the sandbox, which answer at once and always bid. Bare Express reads and parses the request, sends it on to the same three, parses their answers and sends a constant. Every request ended 200, and ${(answeredShare * 100).toFixed(2)}% of the exchange's calls with a bid.`,
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
