/** What does the HTTP client for partners cost? Three calls per request with the exchange's own client, against undici's `dispatch`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type CallPartner, createCallPartner } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { table, writeResults } from '../results.ts';
import { createUndiciCallPartner } from './baselines/undici-call-partner.ts';
import { onExit, temporaryFolder } from './machine/start.ts';
import { goal, goalsHead, medianAndRange, ratio } from './statistics.ts';
import { writeRequests } from './traffic/requests.ts';

const rounds = 5;
const roundMs = 2_000;
const warmUpMs = 3_000;
/** Requests at a time. */
const concurrency = 32;

const stub = spawn(process.execPath, [fileURLToPath(new URL('baselines/stub-partners.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
onExit(() => stub.kill());
const [line] = (await once(createInterface(stub.stdout), 'line')) as [string];
const endpoints = line.split(' ');

const body = writeRequests(temporaryFolder()).sample.slice(1);
const headers = { 'content-type': 'application/json', 'x-openrtb-version': '2.6' };
const isTurn = () => Promise.resolve(true);
const clients = {
  "undici's dispatch": endpoints.map(() => createUndiciCallPartner(isTurn)),
  'our client': endpoints.map(() => createCallPartner({ turn: isTurn, isLate: () => false })),
};

async function callAll(partners: readonly CallPartner[]): Promise<void> {
  const cancellation = new Cancellation();
  const calls = partners.map((callPartner, index) => {
    const call = {
      method: 'POST',
      url: endpoints[index]!,
      headers,
      body: `{"tmax":150,${body}`,
      impressions: [],
    } as const;
    return callPartner(call, cancellation, false);
  });
  for (const { result } of await Promise.all(calls)) if (result !== 'bid') throw new Error(`a call ended as ${result}`);
  cancellation.cancel('late');
}

/** CPU time of this process per request, in µs. */
async function measure(partners: readonly CallPartner[], durationMs: number): Promise<number> {
  let requests = 0;
  const endAtMs = performance.now() + durationMs;
  const started = process.cpuUsage();
  const client = async () => {
    for (; performance.now() < endAtMs; requests++) await callAll(partners);
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const { user, system } = process.cpuUsage(started);
  return (user + system) / requests;
}

const all = Object.values(clients);
const micros = all.map((): number[] => []);
for (const partners of all) await measure(partners, warmUpMs);
for (let round = 0; round < rounds; round++)
  for (const [index, partners] of all.entries()) micros[index]!.push(await measure(partners, roundMs));

const [undiciMicros, ourMicros] = micros as [number[], number[]];
writeResults('HTTP client for partners', 'make bench BENCH=client', [
  `Three calls per request to three partners in another process, ${concurrency} requests at a time, the responses parsed. CPU time of the calling process: median (lowest to highest) of ${rounds} interleaved rounds of ${roundMs / 1_000} s.`,
  '',
  ...table(
    ['client', 'CPU µs per request'],
    Object.keys(clients).map((name, index) => [name, medianAndRange(micros[index]!, 1)]),
  ),
  '',
  ...table(goalsHead, [goal("CPU, our client ÷ undici's dispatch", ratio(ourMicros, undiciMicros), '≤', 0.85)]),
]);
process.exit(0);
