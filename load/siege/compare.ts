/** Does a change help under attack? The exchange of this checkout and that of another one, besieged in turn. */
import { resolve } from 'node:path';
import { median, medianAndRange, percent, ratio } from '../bench/statistics.ts';
import { checkoutOf, commitOf } from '../checkouts.ts';
import { commandWith, table, writeResults } from '../results.ts';
import type { Phase } from './phases.ts';
import { phaseRow } from './report.ts';
import { selectedNames } from './selected-attacks.ts';
import { compareRounds, siegeSeconds } from './settings.ts';
import { startWarm } from './warm-siege.ts';

const checkouts = [checkoutOf('BASE'), resolve('.')];
const commits = checkouts.map(commitOf);
const sieges = [];
for (const checkout of checkouts) sieges.push(await startWarm(selectedNames, checkout));

const phases: Phase[][] = sieges.map(() => []);
for (let round = 0; round < compareRounds; round++) {
  for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const phase = await sieges[index]!.run(siegeSeconds, selectedNames);
    process.stderr.write(`${phaseRow(commits[index]!, phase).join(' | ')}\n`);
    phases[index]!.push(phase);
  }
}
for (const siege of sieges) siege.stop();

const rows: [string, (phase: Phase) => number, number][] = [
  ['p50 ms', ({ client }) => client.p50Ms, 1],
  ['p95 ms', ({ client }) => client.p95Ms, 1],
  ['p99 ms', ({ client }) => client.p99Ms, 1],
  ['worker cores', ({ exchange }) => exchange.workerCores, 2],
];
const failedOf = (all: readonly Phase[]): string =>
  String(all.reduce((sum, { client }) => sum + client.sent - client.succeeded, 0));
const bidsOf = (all: readonly Phase[]): string =>
  percent(median(all.map(({ client }) => client.withSteadyBid / client.sent)));

const [before, after] = phases as [Phase[], Phase[]];
writeResults(
  'Siege: comparison with another checkout',
  commandWith(
    ['SIEGE', 'SIEGE_SECONDS', 'SIEGE_ROUNDS', 'SIEGE_WARM_UP_SECONDS', 'LIMIT_IP'],
    'make siege BASE=folder',
  ),
  [
    `The exchange of commit ${commits[1]} and that of commit ${commits[0]} (BASE), both running, besieged in turn as in \`make siege\`: ${compareRounds} sieges of ${siegeSeconds} s each. Median (lowest to highest) of the ordinary client's figures; the ratio is the median of the ratios per round.`,
    '',
    ...table(
      ['metric', ...commits, 'ratio'],
      [
        ...rows.map(([metric, read, decimals]) => [
          metric,
          ...phases.map((all) => medianAndRange(all.map(read), decimals)),
          ratio(after.map(read), before.map(read)).toFixed(2),
        ]),
        ['failed requests', ...phases.map(failedOf), ''],
        ['bids of the steady partner', ...phases.map(bidsOf), ''],
      ],
    ),
  ],
);
process.exit(0);
