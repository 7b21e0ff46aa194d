/** How evenly do workers share long-lived connections? The cluster's round robin against sockets with reusePort. */
import { table } from '../runner/table.ts';
import { type CountingFleet, type Listening, startFleet } from './balancing/fleet.ts';
import { mean, median } from './figures.ts';
import { watchOthers } from './machine/others.ts';
import { folderOfOurs } from './machine/with-us.ts';
import { commandWith, writeResults } from './results.ts';
import { wholeSeconds } from './settings.ts';
import { runWrk } from './traffic/run-wrk.ts';
import { writeRequests } from './traffic/write-requests.ts';

const trials = 10;
const secondsATrial = wholeSeconds('BENCH_SECONDS', 2);
const fleetSizes = [2, 4];
const connectionCounts = [4, 16, 128];
const waysToListen: readonly Listening[] = ['round robin', 'reusePort'];

interface Trial {
  /** What the worker with most of them had. */
  requestShare: number;
  connectionShare: number;
  perSecond: number;
  p99Ms: number;
}

const requestsFile = writeRequests(folderOfOurs()).file;

/** With new connections. */
async function tryOnce(fleet: CountingFleet, connections: number): Promise<Trial> {
  await fleet.counts();
  const { perSecond, p99Ms } = await runWrk({ url: fleet.url, requestsFile, connections, seconds: secondsATrial });
  const counts = await fleet.counts();
  return {
    requestShare: highestShare(counts.map(({ requests }) => requests)),
    connectionShare: highestShare(counts.map(({ connections }) => connections)),
    perSecond,
    p99Ms,
  };
}

const highestShare = (counts: readonly number[]): number =>
  Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0);

const percent = (share: number): string => `${(share * 100).toFixed(0)}%`;

function toRow(size: number, connections: number, listening: Listening, tried: readonly Trial[]): string[] {
  const figure = (name: keyof Trial) => tried.map((trial) => trial[name]);
  return [
    String(size),
    String(connections),
    listening,
    percent(1 / size),
    ...(['requestShare', 'connectionShare'] as const).flatMap((name) => [
      percent(mean(figure(name))),
      percent(Math.max(...figure(name))),
    ]),
    median(figure('perSecond')).toFixed(0),
    median(figure('p99Ms')).toFixed(1),
  ];
}

/** Both ways in turn. */
async function compare(size: number): Promise<{ rows: string[][]; othersShare: number }> {
  const fleets: CountingFleet[] = [];
  for (const listening of waysToListen) fleets.push(await startFleet(listening, size));
  for (const fleet of fleets) await tryOnce(fleet, Math.max(...connectionCounts)); // warm up
  const others = watchOthers(fleets.flatMap(({ pids }) => pids));
  const rows: string[][] = [];
  for (const connections of connectionCounts) {
    const tried = waysToListen.map((): Trial[] => []);
    for (let trial = 0; trial < trials; trial++)
      for (const [at, fleet] of fleets.entries()) tried[at]!.push(await tryOnce(fleet, connections));
    rows.push(...waysToListen.map((listening, at) => toRow(size, connections, listening, tried[at]!)));
  }
  const othersShare = others();
  for (const fleet of fleets) await fleet.end();
  return { rows, othersShare };
}

const compared = [];
for (const size of fleetSizes) compared.push(await compare(size));
const othersShare = Math.max(...compared.map((one) => one.othersShare));

writeResults('Balance: how workers share connections', commandWith(['BENCH_SECONDS'], 'make balance'), [
  `${trials} trials of ${secondsATrial} s each, every one with new connections that live as long as it. The workers read and parse a request and answer at once. Shares are those of the worker with most requests and of the one with most connections: on average over the trials, and at worst. Requests a second and p99 are medians. Others took ${percent(othersShare)} of the machine.`,
  '',
  ...table(
    [
      'workers',
      'connections',
      'listening',
      'even share',
      'of requests',
      'at worst',
      'of connections',
      'at worst',
      'requests a second',
      'p99 ms',
    ],
    compared.flatMap(({ rows }) => rows),
  ),
]);
process.exit(0);
