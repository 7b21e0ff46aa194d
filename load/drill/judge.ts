/** Derives the outcome of a fault from what was recorded, and the goals that it misses. */
import type { Allowance, Fault, FaultTimes, Outcome, SentRequest, Sign } from './fault.ts';

/** The values of one poll of the admin server, by series. */
export interface Sample {
  atMs: number;
  values: ReadonlyMap<string, number>;
}

export interface MetricSign {
  series: string;
  shows: (value: number, before: number) => boolean;
}

export interface LogLine {
  atMs: number;
  text: string;
}

export interface LogSign {
  /** The message; for a line that is not JSON, its beginning. */
  msg: string;
  /** Another part of the line. */
  part?: string;
}

export type IsNormal = (values: ReadonlyMap<string, number>) => boolean;

/** The first sample since the fault began that shows it. */
export function findMetric(
  samples: readonly Sample[],
  { series, shows }: MetricSign,
  { beganAtMs }: FaultTimes,
): Sign | undefined {
  const before =
    samples.findLast(({ atMs, values }) => atMs < beganAtMs && values.has(series))?.values.get(series) ?? 0;
  const shown = samples.find(({ atMs, values }) => {
    const value = values.get(series);
    return atMs >= beganAtMs && value !== undefined && shows(value, before);
  });
  if (!shown) return undefined;
  return { text: `\`${series}\` = ${rounded(shown.values.get(series)!)}`, afterMs: shown.atMs - beganAtMs };
}

export function findLogLine(
  lines: readonly LogLine[],
  { msg, part = '' }: LogSign,
  { beganAtMs }: FaultTimes,
): Sign | undefined {
  const line = lines.find(
    ({ atMs, text }) =>
      atMs >= beganAtMs && (text.includes(`"msg":"${msg}"`) || text.startsWith(msg)) && text.includes(part),
  );
  if (!line) return undefined;
  const field = part === '' ? '' : `, \`${part.replaceAll('"', '')}\``;
  return { text: `\`${msg}\`${field}`, afterMs: line.atMs - beganAtMs };
}

/** When the samples became normal for good, from the end of the fault; Infinity if the last one is not. */
export function normalAfter(
  samples: readonly Sample[],
  isNormal: IsNormal,
  { beganAtMs, endedAtMs }: FaultTimes,
): number {
  const since = samples.filter(({ atMs }) => atMs >= beganAtMs);
  const lastBad = since.findLastIndex(({ values }) => !isNormal(values));
  if (lastBad === since.length - 1) return Infinity;
  return lastBad === -1 ? 0 : Math.max(0, since[lastBad + 1]!.atMs - endedAtMs);
}

const hasFailed = ({ result }: SentRequest): boolean => result !== 'succeeded';

export function judgeRequests(requests: readonly SentRequest[], allowance: Allowance | undefined, times: FaultTimes) {
  const failed = requests.filter(hasFailed);
  const covered = allowance ? failed.filter((request) => allowance.covers(request, times)).length : 0;
  const durations = requests
    .filter((request) => !hasFailed(request))
    .map(({ dueAtMs, doneAtMs }) => doneAtMs - dueAtMs);
  const lastFailureMs = Math.max(times.endedAtMs, ...failed.map(({ doneAtMs }) => doneAtMs));
  return {
    sent: requests.length,
    failed: failed.length,
    failures: countFailures(failed),
    avoidable: failed.length - Math.min(covered, allowance?.max ?? 0),
    slowestMs: Math.max(0, ...durations),
    /** From the end of the fault until the last request failed. */
    failedForMs: lastFailureMs - times.endedAtMs,
  };
}

/** How many requests failed in which way. */
function countFailures(failed: readonly SentRequest[]): string {
  const counts = new Map<string, number>();
  for (const { result, isFresh } of failed) {
    const kind = `${result} (${isFresh ? 'fresh' : 'kept'})`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

export type Goals = Pick<Fault, 'maxRecoveryMs' | 'withoutMetric' | 'withoutLogLine'>;

export function missedGoals({ maxRecoveryMs, withoutMetric, withoutLogLine }: Goals, outcome: Outcome): string[] {
  const { sent, failures, avoidable, recoveryMs, metric, logLine, problems } = outcome;
  return [
    ...(sent === 0 ? ['no request was sent'] : []),
    ...(avoidable > 0
      ? [`${avoidable} requests failed that the fault does not make unavoidable; of all failures: ${failures}`]
      : []),
    ...(recoveryMs === Infinity ? ['no recovery was seen'] : []),
    ...(recoveryMs > maxRecoveryMs && recoveryMs !== Infinity
      ? [`recovery took ${seconds(recoveryMs)}, goal ${seconds(maxRecoveryMs)}`]
      : []),
    ...((metric ?? withoutMetric) ? [] : ['no metric showed it']),
    ...((logLine ?? withoutLogLine) ? [] : ['no log line showed it']),
    ...problems,
  ];
}

export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;
}

export const durationsBetween = (requests: readonly SentRequest[], fromMs: number, toMs: number): number[] =>
  requests
    .filter((request) => !hasFailed(request) && request.dueAtMs >= fromMs && request.dueAtMs < toMs)
    .map(({ dueAtMs, doneAtMs }) => doneAtMs - dueAtMs);

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const rounded = (value: number): string => String(Math.round(value * 100) / 100);
