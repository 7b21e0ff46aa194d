/** How much is sent for how long: the scenario's own figures unless LOAD_RATE and LOAD_SECONDS say otherwise. */
import type { Options, Scenario } from 'k6/options';

export interface Pace {
  /** Requests a second, at the highest. */
  rate: number;
  seconds: number;
  /** What a scenario sends before and after `seconds` and measures too. */
  moreSeconds?: number;
}

const warmUpSeconds = 4;
/** One more, for what is under way. */
export const startSeconds = warmUpSeconds + 1;

export const paceOf = (own: Pace): Pace => ({
  ...own,
  rate: Number(__ENV.LOAD_RATE || own.rate),
  seconds: Number(__ENV.LOAD_SECONDS || own.seconds),
});

export const measuredSeconds = ({ seconds, moreSeconds = 0 }: Pace): number => seconds + moreSeconds;

/** Answers of a quarter of a second keep nobody waiting; users made during a run would cost it more than they help. */
export const usersFor = (rate: number) => ({
  preAllocatedVUs: 5 + Math.ceil(rate / 4),
  maxVUs: Math.min(300, 10 + Math.ceil(rate / 2)),
});

export const warmingUp = (rate: number): Scenario => ({
  executor: 'ramping-arrival-rate',
  exec: 'warmUp',
  startRate: Math.ceil(rate / 10),
  timeUnit: '1s',
  stages: [{ target: rate, duration: `${warmUpSeconds}s` }],
  gracefulStop: '1s',
  ...usersFor(rate),
});

export const steadily = (exec: string, rate: number, seconds: number, fromSeconds = startSeconds): Scenario => ({
  executor: 'constant-arrival-rate',
  exec,
  rate,
  timeUnit: '1s',
  duration: `${seconds}s`,
  startTime: `${fromSeconds}s`,
  gracefulStop: '3s',
  ...usersFor(rate),
});

export const commonOptions: Options = {
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max', 'count'],
  userAgent: 'gavel-load',
  // No more than is asked for: tags cost the generator time that the exchange could use.
  systemTags: ['status', 'check', 'scenario'],
};
