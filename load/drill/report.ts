/** The table of the drill. */
import type { Fault, Outcome, Sign } from './fault.ts';
import { type Goals, missedGoals, seconds } from './judge.ts';

export interface Drilled {
  fault: Goals & Pick<Fault, 'name' | 'title' | 'allowance'>;
  /** Why it was not run, instead of an outcome. */
  outcome: Outcome | string;
  /** The share of the machine that unrelated processes took. */
  otherLoad: number;
}

export const head = [
  'fault',
  'requests',
  'failed',
  'of them avoidable',
  'slowest response',
  'recovery',
  'metric that showed it, after',
  'log line that showed it, after',
  'other load',
  'goals',
];

export function row({ fault, outcome, otherLoad }: Drilled): string[] {
  const name = `${fault.title} (\`${fault.name}\`)`;
  if (typeof outcome === 'string') return [name, ...Array<string>(8).fill('–'), `not run: ${outcome}`];
  const { sent, failed, avoidable, slowestMs, recoveryMs, metric, logLine } = outcome;
  return [
    name,
    String(sent),
    String(failed),
    String(avoidable),
    `${Math.round(slowestMs)} ms`,
    recoveryMs === Infinity ? 'none' : seconds(recoveryMs),
    describe(metric),
    describe(logLine),
    `${Math.round(100 * otherLoad)}%`,
    missedGoals(fault, outcome).length === 0 ? 'met' : '**missed**',
  ];
}

/** A pipe would end the cell of the table. */
const describe = (sign: Sign | undefined): string =>
  sign ? `${sign.text.replaceAll('|', String.raw`\|`)}, ${seconds(sign.afterMs)}` : 'none';

/** Which failures are allowed, and which goals were missed. */
export function notes(all: readonly Drilled[]): string[] {
  const allowed = all.flatMap(({ fault }) => (fault.allowance ? [`- \`${fault.name}\`: ${fault.allowance.why}`] : []));
  const unseen = all.flatMap(({ fault: { name, withoutMetric, withoutLogLine } }) => [
    ...(withoutMetric === undefined ? [] : [`- \`${name}\`, metric: ${withoutMetric}`]),
    ...(withoutLogLine === undefined ? [] : [`- \`${name}\`, log line: ${withoutLogLine}`]),
  ]);
  const details = all.flatMap(({ fault, outcome }) =>
    typeof outcome === 'string' ? [] : outcome.details.map((detail) => `- \`${fault.name}\`: ${detail}`),
  );
  const missed = all.flatMap(({ fault, outcome }) =>
    typeof outcome === 'string' ? [] : missedGoals(fault, outcome).map((goal) => `- \`${fault.name}\`: ${goal}`),
  );
  return [
    ...(allowed.length > 0 ? ['Failures that a fault makes unavoidable:', '', ...allowed, ''] : []),
    ...(unseen.length > 0 ? ['Without a sign:', '', ...unseen, ''] : []),
    ...(details.length > 0 ? ['Further goals:', '', ...details, ''] : []),
    ...(missed.length > 0 ? ['Missed goals:', '', ...missed] : ['All goals are met.']),
  ];
}

export const isMet = ({ fault, outcome }: Drilled): boolean =>
  typeof outcome === 'string' || missedGoals(fault, outcome).length === 0;
