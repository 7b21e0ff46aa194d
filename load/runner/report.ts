/** The summary of a run as the lines of a section of load/RESULTS.md. */
import type { Summary } from '../lib/summary.ts';
import { table } from './table.ts';

type Metric = Summary['metrics'][string];

const live = 'http_req_duration{phase:measured,traffic:live}';
const percentiles = { 'p(50)': 'med', 'p(95)': 'p(95)', 'p(99)': 'p(99)' };
const signs: Record<string, string> = { '<': 'below', '>': 'above', '<=': 'at most', '>=': 'at least' };

export function reportLines(summary: Summary, notes: readonly string[]): string[] {
  const rows = [
    ...rateRows(summary),
    ...latencyRows(summary.metrics[live]),
    ...checkRows(summary),
    ...answerRows(summary),
    ...floodRows(summary),
  ];
  const plan = `Up to ${summary.rate} requests a second, measured for ${summary.seconds} s after a warm-up.`;
  return [...[plan, ...notes].flatMap((note) => [note, '']), ...table(['figure', 'measured', 'threshold'], rows)];
}

/** Thresholds that were crossed, and checks that failed. */
export function failuresOf({ metrics, checks }: Summary): string[] {
  const crossed = Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([text]) => `threshold crossed: ${name}: ${text}`),
  );
  const failed = checks
    .filter(({ fails }) => fails > 0)
    .map(({ name, fails }) => `check failed: ${name} (${fails} times)`);
  return [...crossed, ...failed];
}

/**
 * Whether every answer was right and some were only late. Late answers keep users busy, so that requests may go unsent;
 * requests that go unsent without late answers are something else.
 */
export function isOnlySlow(failures: readonly string[]): boolean {
  const isOf = (metric: string) => (failure: string) => failure.startsWith(`threshold crossed: ${metric}: `);
  const others = failures.filter((failure) => !isOf(live)(failure));
  return others.length < failures.length && others.every(isOf('dropped_iterations'));
}

/** k6 hands over what it has in no order. */
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** Each as a word or two, and which of them were missed. */
const thresholdsOf = (metric: Metric | undefined, unit = ''): string =>
  Object.entries(metric?.thresholds ?? {})
    .sort(byName)
    .map(([text, { ok }]) => {
      const [, sign, bound] = /(<=|>=|<|>)([\d.]+)$/.exec(text)!;
      return `${signs[sign!]} ${bound}${unit}${ok ? '' : ': missed'}`;
    })
    .join(', ');

function rateRows({ metrics, seconds }: Summary): string[][] {
  const dropped = metrics.dropped_iterations;
  return [
    [
      'requests a second, on average',
      (valueOf(metrics['http_reqs{phase:measured}'], 'count') / seconds).toFixed(1),
      '',
    ],
    ['not sent for want of a free user', String(valueOf(dropped, 'count')), thresholdsOf(dropped)],
  ];
}

function latencyRows(metric: Metric | undefined): string[][] {
  const rows = Object.entries(percentiles).map(([name, value]) => [
    `${name} of live bid requests`,
    `${valueOf(metric, value).toFixed(1)} ms`,
    thresholdsOf(only(metric, name), ' ms'),
  ]);
  return [...rows, ['slowest of them', `${valueOf(metric, 'max').toFixed(1)} ms`, '']];
}

/** The metric with the thresholds on one of its values. */
function only(metric: Metric | undefined, value: string): Metric | undefined {
  const own = Object.entries(metric?.thresholds ?? {}).filter(([text]) => text.startsWith(value));
  return metric && { ...metric, thresholds: Object.fromEntries(own) };
}

function checkRows({ metrics: { checks } }: Summary): string[][] {
  const [passes, fails] = [valueOf(checks, 'passes'), valueOf(checks, 'fails')];
  return [['checks that passed', `${passes} of ${passes + fails}`, `share ${thresholdsOf(checks)}`]];
}

function answerRows({ metrics }: Summary): string[][] {
  const counts = Object.entries(metrics).flatMap(([name, metric]) => {
    const status = /^http_reqs\{.*status:(\d+)\}$/.exec(name)?.[1];
    const count = valueOf(metric, 'count');
    return status === undefined || count === 0 ? [] : [`${status === '0' ? 'none' : status}: ${count}`];
  });
  return [['answers by status', counts.sort().join(', '), '']];
}

const floodRows = ({ metrics }: Summary): string[][] =>
  Object.entries(metrics)
    .sort(byName)
    .flatMap(([name, metric]) => {
      const [, verdict, scope] = /^(admitted|refused)\{scope:(\w+)\}$/.exec(name) ?? [];
      if (verdict === undefined) return [];
      return [[`${verdict} of the flood on scope ${scope}`, String(valueOf(metric, 'count')), thresholdsOf(metric)]];
    });

const valueOf = (metric: Metric | undefined, name: string): number => metric?.values[name] ?? 0;
