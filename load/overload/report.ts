/** The figures of the overload benchmark, and the goals that they are held against. */
import { median, medianAndRange } from '../bench/statistics.ts';
import type { Outcome } from './open-loop.ts';
import { type Clients, goals, recovery } from './settings.ts';

export interface Round {
  peakPerSecond: number;
  /** By which share of the peak it changed during the load. */
  peakDrift: number;
  outcome: Outcome;
  /** Undefined if it was not measured. */
  recoveryMs: number | undefined;
}

export interface Measured {
  clients: Clients;
  load: number;
  rounds: Round[];
}

export const head = [
  'clients',
  'load',
  'peak /s',
  'its drift',
  'offered /s',
  'goodput /s',
  'of the peak, %',
  'shed',
  'closed',
  'timed out',
  'p50 ms',
  'p99 ms',
  'recovery',
  'generator late',
];

/** Medians of the rounds; of the figures that have a goal, the range too. */
export function row({ clients, load, rounds }: Measured): string[] {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const share = (count: (counts: Outcome['counts']) => number) =>
    `${of(({ outcome: { due, counts } }) => (100 * count(counts)) / due).toFixed(1)}%`;
  const recoveryMs = recoveryOf(rounds);
  return [
    describe(clients),
    `${load} ×`,
    rate(of(({ peakPerSecond }) => peakPerSecond)),
    `${Math.round(100 * of(({ peakDrift }) => peakDrift))}%`,
    rate(of(({ outcome: { due, seconds } }) => due / seconds)),
    rate(of(({ outcome: { counts, seconds } }) => counts.succeeded / seconds)),
    medianAndRange(
      rounds.map((round) => 100 * goodputShare(round)),
      0,
    ),
    share(({ shed }) => shed),
    share(({ closed, failed }) => closed + failed),
    share(({ timedOut }) => timedOut),
    of(({ outcome }) => latency(outcome, 0.5)).toFixed(0),
    medianAndRange(
      rounds.map(({ outcome }) => latency(outcome, 0.99)),
      0,
    ),
    recoveryMs === undefined ? '' : recoveryMs === Infinity ? 'none' : milliseconds(recoveryMs),
    milliseconds(of(({ outcome }) => outcome.generatorLagMs)),
  ];
}

export const describe = ({ connections, timeoutMs, isFresh }: Clients): string =>
  `${connections} ${isFresh ? 'fresh' : 'kept'}, ${timeoutMs} ms`;

const goodputShare = ({ peakPerSecond, outcome }: Round): number =>
  outcome.counts.succeeded / outcome.seconds / peakPerSecond;

const latency = ({ latencies }: Outcome, share: number): number => quantile(latencies, share) ?? Number.NaN;

function recoveryOf(rounds: readonly Round[]): number | undefined {
  const measured = rounds.flatMap(({ recoveryMs }) => recoveryMs ?? []);
  return measured.length === 0 ? undefined : median(measured);
}

/** Each goal that a load misses, by the medians of its rounds. */
export function missedGoals({ clients, load, rounds }: Measured): string[] {
  const name = `${describe(clients)}, ${load} ×`;
  const missed: string[] = [];
  const goodput = goals.goodput.get(load);
  const share = median(rounds.map(goodputShare));
  if (goodput !== undefined && share < goodput)
    missed.push(`${name}: goodput ${Math.round(100 * share)}% of the peak, goal ${100 * goodput}%`);
  const p99Ms = median(rounds.map(({ outcome }) => latency(outcome, 0.99)));
  if (!(p99Ms < goals.p99Ms)) missed.push(`${name}: p99 ${milliseconds(p99Ms)}, goal below ${goals.p99Ms} ms`);
  const recoveryMs = recoveryOf(rounds);
  if (recoveryMs !== undefined && recoveryMs > goals.recoveryMs)
    missed.push(
      `${name}: recovery ${recoveryMs === Infinity ? 'not seen' : milliseconds(recoveryMs)}, goal ${goals.recoveryMs} ms`,
    );
  return missed;
}

/** When the success of a load that can be served became steady, from its start; Infinity if it did not. */
export function recoveryTime({ successes }: Outcome): number {
  const startMs = Math.min(...successes.slice(0, 1_000).map(({ dueAtMs }) => dueAtMs));
  const slices: { due: number; succeeded: number }[] = [];
  for (const { dueAtMs, isSuccess } of successes) {
    const slice = (slices[Math.max(0, Math.floor((dueAtMs - startMs) / recovery.sliceMs))] ??= {
      due: 0,
      succeeded: 0,
    });
    slice.due++;
    if (isSuccess) slice.succeeded++;
  }
  const lastBad = slices.findLastIndex((slice) => slice.succeeded < recovery.success * slice.due);
  return lastBad === slices.length - 1 ? Infinity : (lastBad + 1) * recovery.sliceMs;
}

export function quantile(ascending: readonly number[], share: number): number | undefined {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))];
}

const rate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en');
const milliseconds = (value: number): string => `${Math.round(value)} ms`;
