/** The tables and the verdict of the siege. */
import { median, percent } from '../bench/statistics.ts';
import { table } from '../results.ts';
import { attacks } from './attack-list.ts';
import type { Phase } from './phases.ts';
import { maxLatencyRatio, minAttackShare, minBidShare } from './settings.ts';

/** A quiet phase and the siege after it. */
export interface Round {
  quiet: Phase;
  siege: Phase;
}

export const phaseHead = [
  'phase',
  'requests',
  'failed',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'max ms',
  'partner bids',
  'worker cores',
  'generator cores',
  'largest worker MiB',
  'workers replaced',
  'not ready',
  'client delay p99 ms',
  'other load',
];

export function phaseRow(name: string, { client, exchange, otherLoad }: Phase): string[] {
  return [
    name,
    String(client.sent),
    counts(client.failures) || '0',
    ...[client.p50Ms, client.p95Ms, client.p99Ms, client.maxMs].map((ms) => ms.toFixed(1)),
    percent(client.withSteadyBid / client.sent),
    exchange.workerCores.toFixed(2),
    exchange.otherCores.toFixed(2),
    exchange.maxWorkerMiB.toFixed(0),
    String(exchange.replacedWorkers),
    `${exchange.failedReadyPolls} of ${exchange.readyPolls}`,
    client.sendDelayP99Ms.toFixed(1),
    Number.isNaN(otherLoad) ? '' : percent(otherLoad),
  ];
}

/** What the attackers sent and received in all these phases. */
export function attackTable(phases: readonly Phase[]): string[] {
  const rows = attacks.flatMap(({ name, title, addresses }) => {
    const tallies = phases.flatMap((phase) => phase.attacks[name] ?? []);
    if (tallies.length === 0) return [];
    const responses: Record<string, number> = {};
    for (const tally of tallies) {
      for (const [status, count] of Object.entries(tally.responses))
        responses[status] = (responses[status] ?? 0) + count;
    }
    return [[name, title, String(addresses), String(sum(tallies.map(({ sent }) => sent))), counts(responses)]];
  });
  return table(['attack', 'what it sends', 'addresses', 'sent', 'responses'], rows);
}

/** Which attack costs most, one at a time. */
export function aloneTable(rounds: readonly { name: string; round: Round }[]): string[] {
  return table(
    [
      'attack',
      'failed',
      'p99 ms, quiet',
      'p99 ms, attacked',
      'ratio',
      'partner bids',
      'worker cores',
      'largest worker MiB',
      'workers replaced',
    ],
    rounds.map(({ name, round: { quiet, siege } }) => [
      name,
      counts(siege.client.failures) || '0',
      quiet.client.p99Ms.toFixed(1),
      siege.client.p99Ms.toFixed(1),
      (siege.client.p99Ms / quiet.client.p99Ms).toFixed(2),
      percent(siege.client.withSteadyBid / siege.client.sent),
      siege.exchange.workerCores.toFixed(2),
      siege.exchange.maxWorkerMiB.toFixed(0),
      String(siege.exchange.replacedWorkers),
    ]),
  );
}

export interface Verdict {
  rows: string[][];
  isMet: boolean;
}

export const verdictHead = ['metric', 'measured', 'goal', ''];

export function judge(rounds: readonly Round[], after: Phase): Verdict {
  const sieges = rounds.map(({ siege }) => siege);
  const all = [...rounds.flatMap(({ quiet, siege }) => [quiet, siege]), after];
  const quietP99 = median(rounds.map(({ quiet }) => quiet.client.p99Ms));
  const siegeP99 = median(sieges.map(({ client }) => client.p99Ms));
  const ratio = round(median(rounds.map(({ quiet, siege }) => siege.client.p99Ms / quiet.client.p99Ms)));
  // Compared with an exchange that fails without attacks, every siege would look harmless.
  const isQuietSound = rounds.every(({ quiet }) => quiet.client.succeeded === quiet.client.sent);
  const failed = sum(all.map(({ client }) => client.sent - client.succeeded));
  const bids = round(Math.min(...sieges.map(({ client }) => client.withSteadyBid / client.sent)));
  const replaced = sum(all.map(({ exchange }) => exchange.replacedWorkers));
  const notReady = sum(all.map(({ exchange }) => exchange.failedReadyPolls));
  const strength = round(Math.min(...sieges.flatMap((siege) => Object.values(siege.attacks).map(shareSent))));
  const rows: [string, string, string, boolean][] = [
    [
      'p99 of the ordinary client: siege ÷ quiet',
      `${ratio.toFixed(2)} (${siegeP99.toFixed(1)} ms ÷ ${quietP99.toFixed(1)} ms)`,
      `≤ ${maxLatencyRatio}`,
      isQuietSound && ratio <= maxLatencyRatio,
    ],
    ['ordinary requests without a 200 or 204', String(failed), '0', failed === 0],
    [
      'ordinary responses with the bid of the steady partner, lowest share',
      percent(bids),
      `≥ ${percent(minBidShare)}`,
      bids >= minBidShare,
    ],
    ['workers replaced', String(replaced), '0', replaced === 0],
    ['polls of /readyz that failed', String(notReady), '0', notReady === 0],
    [
      'attack requests sent ÷ planned, lowest of all attacks',
      percent(strength),
      `≥ ${percent(minAttackShare)}`,
      strength >= minAttackShare,
    ],
  ];
  return {
    rows: rows.map(([metric, measured, goal, isMet]) => [metric, measured, goal, isMet ? 'met' : '**not met**']),
    isMet: rows.every(([, , , isMet]) => isMet),
  };
}

const shareSent = ({ planned, sent }: { planned: number; sent: number }): number =>
  planned === 0 ? 1 : Math.min(sent / planned, 1);

/** The rounded value decides, so that the table never contradicts itself. */
const round = (value: number): number => Number(value.toFixed(2));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const counts = (byKind: Record<string, number>): string =>
  Object.entries(byKind)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ');
