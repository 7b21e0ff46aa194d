/** What the scenarios share: load profile, k6 executors, thresholds and summary. */
import type { Options, Scenario } from 'k6/options';

export interface LoadProfile {
  /** Peak requests per second. */
  rate: number;
  seconds: number;
  /** Measured time before and after `seconds`, such as the ramps of a spike. */
  extraSeconds?: number;
}

const warmUpSeconds = 4;
/** When measuring starts: one second after the warm-up, so that its last responses have arrived. */
export const startSeconds = warmUpSeconds + 1;

/** LOAD_RATE and LOAD_SECONDS override the defaults of the scenario. */
export const loadProfile = (defaults: LoadProfile): LoadProfile => ({
  ...defaults,
  rate: Number(__ENV.LOAD_RATE || defaults.rate),
  seconds: Number(__ENV.LOAD_SECONDS || defaults.seconds),
});

export const measuredSeconds = ({ seconds, extraSeconds = 0 }: LoadProfile): number => seconds + extraSeconds;

/** Enough virtual users for responses of 250 ms. Allocating more during a run would disturb the measurement. */
export const virtualUsers = (rate: number) => ({
  preAllocatedVUs: 5 + Math.ceil(rate / 4),
  maxVUs: Math.min(300, 10 + Math.ceil(rate / 2)),
});

export const warmUpScenario = (rate: number): Scenario => ({
  executor: 'ramping-arrival-rate',
  exec: 'warmUp',
  startRate: Math.ceil(rate / 10),
  timeUnit: '1s',
  stages: [{ target: rate, duration: `${warmUpSeconds}s` }],
  gracefulStop: '1s',
  ...virtualUsers(rate),
});

export const constantRate = (exec: string, rate: number, seconds: number, fromSeconds = startSeconds): Scenario => ({
  executor: 'constant-arrival-rate',
  exec,
  rate,
  timeUnit: '1s',
  duration: `${seconds}s`,
  startTime: `${fromSeconds}s`,
  gracefulStop: '3s',
  ...virtualUsers(rate),
});

export const commonOptions: Options = {
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max', 'count'],
  userAgent: 'gavel-load',
  // Only the tags that the report needs: each tag costs k6 CPU time, and k6 shares the machine with the exchange.
  systemTags: ['status', 'check', 'scenario'],
};

const liveLatency = 'http_req_duration{phase:measured,traffic:live}';
const latencyTargets = ['p(50)<50', 'p(95)<100', 'p(99)<200'];
/** For partners that are slower than the p50 and p95 targets by design. */
export const p99TargetOnly = latencyTargets.slice(-1);

/** The statuses that the report lists; a status that is wrong for its request fails a check. */
const reportedStatuses = [0, 200, 204, 400, 404, 405, 408, 413, 429, 500, 503];

/**
 * Live latency, correct responses, and requests sent on time: of the `planned` requests, 1% may be dropped.
 * k6 keeps a metric per tag only if a threshold names it, hence the thresholds on counts that always hold.
 */
export function thresholds(planned: number, latency: readonly string[] = latencyTargets): Record<string, string[]> {
  const counts = reportedStatuses.map((status) => [`http_reqs{phase:measured,status:${status}}`, ['count>=0']]);
  return {
    [liveLatency]: [...latency],
    checks: ['rate>0.999'],
    dropped_iterations: [`count<=${Math.ceil(planned / 100)}`],
    'http_reqs{phase:measured}': ['count>0'],
    ...Object.fromEntries(counts),
  };
}

/** What a run writes at its end to SUMMARY_FILE. */
export interface Summary {
  rate: number;
  seconds: number;
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
  checks: { name: string; passes: number; fails: number }[];
}

interface K6Summary {
  metrics: Summary['metrics'];
  root_group: { checks: Summary['checks'] };
}

export const summaryWriter =
  (profile: LoadProfile) =>
  ({ metrics, root_group: { checks } }: K6Summary): Record<string, string> => {
    const summary: Summary = { rate: profile.rate, seconds: measuredSeconds(profile), metrics, checks };
    return { [__ENV.SUMMARY_FILE || 'stdout']: JSON.stringify(summary, undefined, 2) };
  };

/** A whole scenario of mixed traffic at one rate; `name` becomes part of the request ids. */
export function constantRateTest(name: string, defaults: LoadProfile, latency?: readonly string[]) {
  const profile = loadProfile(defaults);
  const { rate, seconds } = profile;
  const options: Options = {
    ...commonOptions,
    scenarios: { warm: warmUpScenario(rate), [name]: constantRate('mixedTraffic', rate, seconds) },
    thresholds: thresholds(rate * seconds, latency),
  };
  return { options, handleSummary: summaryWriter(profile) };
}
