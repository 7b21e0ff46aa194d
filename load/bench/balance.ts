/** How evenly are connections distributed to workers? Round robin by the primary, one listening socket for all workers, or one per worker. */
import { commandWith, table, writeResults } from '../results.ts';
import { type CountingFleet, type Listening, startFleet } from './balancing/fleet.ts';
import { watchOtherLoad } from './machine/processes.ts';
import { temporaryFolder } from './machine/start.ts';
import { wholeSeconds } from './settings.ts';
import { mean, median, percent } from './statistics.ts';
import { writeRequests } from './traffic/requests.ts';
import { runWrk } from './traffic/run-wrk.ts';

const trials = 10;
const trialSeconds = wholeSeconds('BENCH_SECONDS', 2);
const fleetSizes = [2, 4];
const connectionCounts = [4, 16, 128];
const listenModes: readonly Listening[] = ['round robin', 'shared socket', 'reusePort'];

interface Trial {
  /** The share of the worker with the most requests. */
  requestShare: number;
  /** The share of the worker with the most connections. */
  connectionShare: number;
  perSecond: number;
  p99Ms: number;
}

const requestsFile = writeRequests(temporaryFolder()).path;

/** Every trial opens new connections. */
async function runTrial(fleet: CountingFleet, connections: number): Promise<Trial> {
  await fleet.takeCounts();
  const { perSecond, p99Ms } = await runWrk({ url: fleet.url, requestsFile, connections, seconds: trialSeconds });
  const counts = await fleet.takeCounts();
  return {
    requestShare: highestShare(counts.map(({ requests }) => requests)),
    connectionShare: highestShare(counts.map(({ connections }) => connections)),
    perSecond,
    p99Ms,
  };
}

const highestShare = (counts: readonly number[]): number =>
  Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0);

function toRow(size: number, connections: number, listening: Listening, results: readonly Trial[]): string[] {
  const values = (name: keyof Trial) => results.map((trial) => trial[name]);
  return [
    String(size),
    String(connections),
    listening,
    percent(1 / size),
    ...(['requestShare', 'connectionShare'] as const).flatMap((name) => [
      percent(mean(values(name))),
      percent(Math.max(...values(name))),
    ]),
    median(values('perSecond')).toFixed(0),
    median(values('p99Ms')).toFixed(1),
  ];
}

/** Alternates between the ways of listening. */
async function compare(size: number): Promise<{ rows: string[][]; otherLoad: number }> {
  const fleets: CountingFleet[] = [];
  for (const listening of listenModes) fleets.push(await startFleet(listening, size));
  for (const fleet of fleets) await runTrial(fleet, Math.max(...connectionCounts)); // warm-up
  const stopWatching = watchOtherLoad(fleets.flatMap(({ pids }) => pids));
  const rows: string[][] = [];
  for (const connections of connectionCounts) {
    const results = listenModes.map((): Trial[] => []);
    for (let trial = 0; trial < trials; trial++)
      for (const [index, fleet] of fleets.entries()) results[index]!.push(await runTrial(fleet, connections));
    rows.push(...listenModes.map((listening, index) => toRow(size, connections, listening, results[index]!)));
  }
  const otherLoad = stopWatching();
  for (const fleet of fleets) await fleet.stop();
  return { rows, otherLoad };
}

const compared = [];
for (const size of fleetSizes) compared.push(await compare(size));
const otherLoad = Math.max(...compared.map((one) => one.otherLoad));

writeResults('Balance: distribution of connections to workers', commandWith(['BENCH_SECONDS'], 'make balance'), [
  `${trials} trials of ${trialSeconds} s each. Each trial opens new connections and keeps them until its end. The workers parse the request and respond immediately. The shares are those of the worker with the most requests and of the worker with the most connections, as the mean and the maximum over the trials. Requests per second and p99 are medians. Unrelated processes took ${percent(otherLoad)} of the machine.`,
  '',
  ...table(
    [
      'workers',
      'connections',
      'listening',
      'even share',
      'request share, mean',
      'max',
      'connection share, mean',
      'max',
      'requests per second',
      'p99 ms',
    ],
    compared.flatMap(({ rows }) => rows),
  ),
]);
process.exit(0);
