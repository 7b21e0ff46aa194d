/** Formats the summary of a run as a section of load/RESULTS.md. */
import type { Summary } from '../lib/scenario.ts';
import { table } from '../results.ts';

type Metric = Summary['metrics'][string];

const liveLatency = 'http_req_duration{phase:measured,traffic:live}';
const percentiles = { 'p(50)': 'med', 'p(95)': 'p(95)', 'p(99)': 'p(99)' };
const signs: Record<string, string> = { '<': 'below', '>': 'above', '<=': 'at most', '>=': 'at least' };

export function reportLines(summary: Summary, notes: readonly string[]): string[] {
  const rows = [
    ...rateRows(summary),
    ...latencyRows(summary.metrics[liveLatency]),
    ...checkRows(summary),
    ...statusRows(summary),
    ...floodRows(summary),
  ];
  const plan = `Up to ${summary.rate} requests per second, measured for ${summary.seconds} s after a warm-up.`;
  return [...[plan, ...notes].flatMap((note) => [note, '']), ...table(['metric', 'measured', 'threshold'], rows)];
}

/** Lists the crossed thresholds and the failed checks. */
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
 * Whether every response was correct and some were only late. Late responses keep virtual users busy, so k6 may drop
 * requests; dropped requests without late responses are a failure of their own.
 */
export function isOnlySlow(failures: readonly string[]): boolean {
  const isOf = (metric: string) => (failure: string) => failure.startsWith(`threshold crossed: ${metric}: `);
  const others = failures.filter((failure) => !isOf(liveLatency)(failure));
  return others.length < failures.length && others.every(isOf('dropped_iterations'));
}

/** The summary of k6 is unordered. */
const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** Each threshold in words, marked if it was missed. */
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
    ['mean requests per second', (valueOf(metrics['http_reqs{phase:measured}'], 'count') / seconds).toFixed(1), ''],
    ['dropped: no free virtual user', String(valueOf(dropped, 'count')), thresholdsOf(dropped)],
  ];
}

function latencyRows(metric: Metric | undefined): string[][] {
  const rows = Object.entries(percentiles).map(([name, value]) => [
    `${name} of live bid requests`,
    `${valueOf(metric, value).toFixed(1)} ms`,
    thresholdsOf(only(metric, name), ' ms'),
  ]);
  return [...rows, ['slowest live bid request', `${valueOf(metric, 'max').toFixed(1)} ms`, '']];
}

/** The metric with only the thresholds on one of its values. */
function only(metric: Metric | undefined, value: string): Metric | undefined {
  const thresholds = Object.entries(metric?.thresholds ?? {}).filter(([text]) => text.startsWith(value));
  return metric && { ...metric, thresholds: Object.fromEntries(thresholds) };
}

function checkRows({ metrics: { checks } }: Summary): string[][] {
  const [passes, fails] = [valueOf(checks, 'passes'), valueOf(checks, 'fails')];
  return [['passed checks', `${passes} of ${passes + fails}`, `share ${thresholdsOf(checks)}`]];
}

function statusRows({ metrics }: Summary): string[][] {
  const counts = Object.entries(metrics).flatMap(([name, metric]) => {
    const status = /^http_reqs\{.*status:(\d+)\}$/.exec(name)?.[1];
    const count = valueOf(metric, 'count');
    return status === undefined || count === 0 ? [] : [`${status === '0' ? 'none' : status}: ${count}`];
  });
  return [['responses by status', counts.sort().join(', '), '']];
}

const floodRows = ({ metrics }: Summary): string[][] =>
  Object.entries(metrics)
    .sort(byName)
    .flatMap(([name, metric]) => {
      const [, verdict, scope] = /^(admitted|refused)\{scope:(\w+)\}$/.exec(name) ?? [];
      if (verdict === undefined) return [];
      return [[`flood on scope ${scope}: ${verdict}`, String(valueOf(metric, 'count')), thresholdsOf(metric)]];
    });

const valueOf = (metric: Metric | undefined, name: string): number => metric?.values[name] ?? 0;
