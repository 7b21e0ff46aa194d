/** Building blocks for the PromQL of the panels. */
import { targets } from '../../../../src/observe/slo.ts';
import type { Line } from './panel.ts';

/** The latency SLO of live requests, with a colour per quantile. */
export const latencyTargets = [
  { name: 'p50', quantile: 0.5, targetSeconds: targets.p50Ms / 1000, colour: 'green' },
  { name: 'p95', quantile: 0.95, targetSeconds: targets.p95Ms / 1000, colour: 'yellow' },
  { name: 'p99', quantile: 0.99, targetSeconds: targets.p99Ms / 1000, colour: 'red' },
] as const;

export const targetRps = targets.rps;

export const targetLines: Line[] = latencyTargets.map(({ targetSeconds, colour }) => ({ at: targetSeconds, colour }));

export const quantileColours: Record<string, string> = Object.fromEntries(
  latencyTargets.map(({ name, colour }) => [name, colour]),
);

/** A metric of the selected instances. */
export const of = (metric: string, labels = ''): string =>
  `${metric}{instance=~"$instance"${labels === '' ? '' : `, ${labels}`}}`;

/** Per second; by default over the shortest window that the graph's step and the scrape interval allow. */
export const rate = (metric: string, labels = '', over = '$__rate_interval'): string =>
  `rate(${of(metric, labels)}[${over}])`;

export const sum = (vector: string, by = ''): string => (by === '' ? `sum(${vector})` : `sum by (${by}) (${vector})`);

export const quantile = (q: number, histogram: string, labels = '', by = '', over = '$__rate_interval'): string =>
  `histogram_quantile(${q}, ${sum(rate(`${histogram}_bucket`, labels, over), by === '' ? 'le' : `le, ${by}`)})`;

/** p50, p95 and p99 of one histogram, as three queries. */
export const quantiles = (histogram: string, labels = '') =>
  latencyTargets.map(({ name, quantile: q }) => ({ expr: quantile(q, histogram, labels), legend: name }));

/** Live requests that reached an auction and completed it. */
export const withAuction = 'mode="live", outcome=~"bid|no_bid"';
