/** What does overload do? Open-loop load above the peak, from clients that time out: goodput, latency, recovery. */
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../bench/machine/start.ts';
import { commandWith, table, writeResults } from '../results.ts';
import { type Load, offer } from './open-loop.ts';
import { head, type Measured, missedGoals, recoveryTime, type Round, row } from './report.ts';
import { createRequests } from './requests.ts';
import {
  type Clients,
  goals,
  loads,
  loadSeconds,
  peak,
  recovery,
  redisDelayMs,
  rounds,
  selectedClients,
  variables,
} from './settings.ts';
import { saturate, startRedisOfTarget, startTarget } from './target.ts';

const folder = temporaryFolder();
const requests = createRequests(folder);
const gavel = await startTarget(await startRedisOfTarget(), folder);
const { port } = gavel;
const target = { port, requests };

const measured: Measured[] = selectedClients.flatMap((clients) => loads.map((load) => ({ clients, load, rounds: [] })));
for (const isFresh of new Set(selectedClients.map((clients) => clients.isFresh)))
  await saturate(target, isFresh, peak.warmUpSeconds);
for (let round = 0; round < rounds; round++) {
  for (const one of measured) {
    one.rounds.push(await measure(one.clients, one.load));
    process.stderr.write(`${row({ ...one, rounds: one.rounds.slice(-1) }).join(' | ')}\n`);
  }
}
await gavel.stop();
process.exit(report() ? 0 : 1);

/** The peak is measured before and after: the machine may be faster or slower than a minute ago. */
async function measure(clients: Clients, load: number): Promise<Round> {
  const before = await saturate(target, clients.isFresh, peak.seconds);
  const offered: Load = { port, requests, clients, perSecond: load * before, seconds: loadSeconds };
  const outcome = await offer(offered);
  const after =
    load > 1 ? await offer({ ...offered, perSecond: recovery.load * before, seconds: recovery.seconds }) : undefined;
  await sleep(500);
  const later = await saturate(target, clients.isFresh, peak.seconds);
  const peakPerSecond = (before + later) / 2;
  const peakDrift = Math.abs(before - later) / peakPerSecond;
  return { peakPerSecond, peakDrift, outcome, recoveryMs: after && recoveryTime(after) };
}

/** Whether all goals are met. */
function report(): boolean {
  const missed = measured.flatMap(missedGoals);
  writeResults('Overload', commandWith(variables, 'make overload'), [
    `One worker and its primary on one core, the load generator and Redis on the other; house demand; requests of 20 kB.${redisDelayMs > 0 ? ` The responses of Redis are delayed by ${redisDelayMs} ms.` : ''} The peak is what ${peak.connections} connections get in a closed loop, right before and after each load (the mean); the load is a multiple of the one before. Each load lasts ${loadSeconds} s, and all of them are offered ${rounds} times, one after the other; the table has the medians, and ranges in brackets. Each kept connection has had a request before. Requests are due at fixed times and latency counts from then. Goodput: bids within the client's timeout. A client that times out closes its connection. Shed: 503. Closed: the exchange refused or closed the connection. Recovery: at ${recovery.load} × the peak right after the load, until at least ${100 * recovery.success}% succeed for good.`,
    '',
    ...table(head, measured.map(row)),
    '',
    missed.length === 0
      ? `All goals are met: goodput ${[...goals.goodput].map(([load, share]) => `${100 * share}% of the peak at ${load} ×`).join(' and ')}, p99 below ${goals.p99Ms} ms, recovery within ${goals.recoveryMs / 1_000} s.`
      : ['Missed:', '', ...missed.map((text) => `- ${text}`)].join('\n'),
  ]);
  return missed.length === 0;
}
