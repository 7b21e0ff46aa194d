/** The pieces of which the panels' queries are made. */
import { targets } from '../../../../src/observe/slo.ts';
import type { Line } from './panel.ts';

/** Seconds for each quantile of the answers to live requests, and its colour on every panel. */
export const latencyTargets = [
  { name: 'p50', quantile: 0.5, targetSeconds: targets.p50Ms / 1000, colour: 'green' },
  { name: 'p95', quantile: 0.95, targetSeconds: targets.p95Ms / 1000, colour: 'yellow' },
  { name: 'p99', quantile: 0.99, targetSeconds: targets.p99Ms / 1000, colour: 'red' },
] as const;

export const requestsASecondTarget = targets.rps;

export const targetLines: Line[] = latencyTargets.map(({ targetSeconds, colour }) => ({ at: targetSeconds, colour }));

export const quantileColours: Record<string, string> = Object.fromEntries(
  latencyTargets.map(({ name, colour }) => [name, colour]),
);

/** A metric of the chosen machines. */
export const of = (metric: string, labels = ''): string =>
  `${metric}{instance=~"$instance"${labels === '' ? '' : `, ${labels}`}}`;

/** By the second, over the shortest stretch that the step of the graph and the scrapes allow. */
export const rate = (metric: string, labels = '', over = '$__rate_interval'): string =>
  `rate(${of(metric, labels)}[${over}])`;

export const sum = (vector: string, by = ''): string => (by === '' ? `sum(${vector})` : `sum by (${by}) (${vector})`);

export const quantile = (q: number, histogram: string, labels = '', by = '', over = '$__rate_interval'): string =>
  `histogram_quantile(${q}, ${sum(rate(`${histogram}_bucket`, labels, over), by === '' ? 'le' : `le, ${by}`)})`;

/** p50, p95 and p99 of one histogram, as three queries. */
export const quantiles = (histogram: string, labels = '') =>
  latencyTargets.map(({ name, quantile: q }) => ({ expr: quantile(q, histogram, labels), legend: name }));

/** Requests of live traffic that got an answer to their question. */
export const answers = 'mode="live", outcome=~"bid|no_bid"';
