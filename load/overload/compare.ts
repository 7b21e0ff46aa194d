/** Does a change help in overload? The exchange of this checkout and that of another one, loaded in turn. */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../bench/machine/start.ts';
import { medianAndRange, ratio } from '../bench/statistics.ts';
import { checkoutOf, commitOf } from '../checkouts.ts';
import { commandWith, table, writeResults } from '../results.ts';
import { offer } from './open-loop.ts';
import { describe, quantile } from './report.ts';
import { createRequests } from './requests.ts';
import {
  type Clients,
  comparedRounds,
  loads,
  loadSeconds,
  peak,
  redisDelayMs,
  selectedClients,
  variables,
} from './settings.ts';
import { saturate, startRedisOfTarget, startTarget } from './target.ts';

const checkouts = [checkoutOf('BASE'), resolve('.')];
const folder = temporaryFolder();
const redisUrl = await startRedisOfTarget();
const requests = createRequests(folder);
const targets = [];
for (const checkout of checkouts) targets.push(await startTarget(redisUrl, folder, checkout));
const ports = targets.map(({ port }) => port);
for (const port of ports) await saturate({ port, requests }, false, peak.warmUpSeconds);

interface Round {
  goodput: number;
  p99Ms: number;
}

interface Compared {
  clients: Clients;
  perSecond: number;
  /** Of the base and of this checkout. */
  rounds: Round[][];
}

const results: Compared[] = [];
for (const clients of selectedClients) {
  const peakPerSecond = await saturate({ port: ports[0]!, requests }, clients.isFresh, peak.seconds);
  for (const load of loads.filter((multiple) => multiple > 1)) {
    results.push(await compare(clients, Math.round(load * peakPerSecond)));
  }
}
for (const target of targets) await target.stop();
report();
process.exit(0);

async function compare(clients: Clients, perSecond: number): Promise<Compared> {
  const all: Round[][] = ports.map(() => []);
  for (let round = 0; round < comparedRounds; round++) {
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const load = { port: ports[index]!, requests, clients, perSecond, seconds: loadSeconds };
      const { counts, latencies } = await offer(load);
      all[index]!.push({ goodput: counts.succeeded / loadSeconds, p99Ms: quantile(latencies, 0.99) ?? Number.NaN });
      await sleep(500);
    }
  }
  const result = { clients, perSecond, rounds: all };
  process.stderr.write(`${row(result).join(' | ')}\n`);
  return result;
}

function row({ clients, perSecond, rounds: both }: Compared): string[] {
  const [before, after] = both.map((all) => all.map(({ goodput }) => goodput)) as [number[], number[]];
  const p99s = both.map((all) =>
    medianAndRange(
      all.map(({ p99Ms }) => p99Ms),
      0,
    ),
  );
  return [
    describe(clients),
    perSecond.toLocaleString('en'),
    medianAndRange(before, 0),
    medianAndRange(after, 0),
    ratio(after, before).toFixed(2),
    ...p99s,
  ];
}

function report(): void {
  const [before, after] = checkouts.map(commitOf);
  writeResults('Overload: comparison with another checkout', commandWith(variables, 'make overload BASE=folder'), [
    `The exchange of commit ${after} and that of commit ${before} (BASE), both running, loaded in turn: ${comparedRounds} loads of ${loadSeconds} s each, like those of \`make overload\`. ${redisDelayMs > 0 ? `The responses of Redis are delayed by ${redisDelayMs} ms. ` : ''}Median (lowest to highest).`,
    '',
    ...table(
      [
        'clients',
        'offered /s',
        `${before}, goodput /s`,
        `${after}, goodput /s`,
        'ratio',
        `${before}, p99 ms`,
        `${after}, p99 ms`,
      ],
      results.map(row),
    ),
  ]);
}
