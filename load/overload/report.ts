/** The figures of the overload benchmark, and the goals that they are held against. */
import type { Outcome } from './open-loop.ts';
import { type Clients, goals, recovery } from './settings.ts';

export interface Measured {
  clients: Clients;
  load: number;
  peakPerSecond: number;
  /** By which share of the peak it changed during the load. */
  peakDrift: number;
  outcome: Outcome;
  /** Undefined if it was not measured. */
  recoveryMs: number | undefined;
}

export const head = [
  'clients',
  'load',
  'peak /s',
  'its drift',
  'offered /s',
  'goodput /s',
  'of the peak',
  'shed',
  'closed',
  'timed out',
  'p50',
  'p99',
  'recovery',
  'generator late',
];

export function row({ clients, load, peakPerSecond, peakDrift, outcome, recoveryMs }: Measured): string[] {
  const { due, counts, latencies, seconds } = outcome;
  const share = (count: number) => `${((100 * count) / due).toFixed(1)}%`;
  return [
    describe(clients),
    `${load} ×`,
    rate(peakPerSecond),
    `${Math.round(100 * peakDrift)}%`,
    rate(due / seconds),
    rate(counts.succeeded / seconds),
    `${Math.round(100 * goodputShare({ peakPerSecond, outcome }))}%`,
    share(counts.shed),
    share(counts.closed + counts.failed),
    share(counts.timedOut),
    milliseconds(quantile(latencies, 0.5)),
    milliseconds(quantile(latencies, 0.99)),
    recoveryMs === undefined ? '' : recoveryMs === Infinity ? 'none' : milliseconds(recoveryMs),
    milliseconds(outcome.generatorLagMs),
  ];
}

export const describe = ({ connections, timeoutMs, isFresh }: Clients): string =>
  `${connections} ${isFresh ? 'fresh' : 'kept'}, ${timeoutMs} ms`;

export const goodputShare = ({ peakPerSecond, outcome }: Pick<Measured, 'peakPerSecond' | 'outcome'>): number =>
  outcome.counts.succeeded / outcome.seconds / peakPerSecond;

/** Each goal that a load misses. */
export function missedGoals(measured: Measured): string[] {
  const { load, outcome, recoveryMs, clients } = measured;
  const name = `${describe(clients)}, ${load} ×`;
  const missed: string[] = [];
  const goodput = goals.goodput.get(load);
  const share = goodputShare(measured);
  if (goodput !== undefined && share < goodput)
    missed.push(`${name}: goodput ${Math.round(100 * share)}% of the peak, goal ${100 * goodput}%`);
  const p99Ms = quantile(outcome.latencies, 0.99);
  if (p99Ms !== undefined && p99Ms >= goals.p99Ms)
    missed.push(`${name}: p99 ${milliseconds(p99Ms)}, goal below ${goals.p99Ms} ms`);
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
const milliseconds = (value: number | undefined): string => (value === undefined ? '–' : `${Math.round(value)} ms`);
