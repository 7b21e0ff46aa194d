/** What a process tells of itself, told for all workers: where a sum or a mean would hide the one that is in trouble. */
import type { Aggregator } from 'prom-client';
import type { Snapshot } from './fleet-metrics.ts';

interface Choice {
  aggregator: Aggregator;
  whose: string;
}

const worst: Choice = { aggregator: 'max', whose: 'of the worst worker' };

/** All others are sums over the workers, or prom-client's own choice: the smallest lag, the version once, no start time. */
const choices: Record<string, Choice> = {
  nodejs_eventloop_lag_seconds: worst,
  nodejs_eventloop_lag_max_seconds: worst,
  nodejs_eventloop_lag_mean_seconds: worst,
  nodejs_eventloop_lag_stddev_seconds: worst,
  nodejs_eventloop_lag_p50_seconds: worst,
  nodejs_eventloop_lag_p90_seconds: worst,
  nodejs_eventloop_lag_p99_seconds: worst,
  // The limit is each process's own: it is one worker that reaches it.
  process_open_fds: worst,
  process_max_fds: { aggregator: 'min', whose: 'of one worker' },
};

export const aggregateByMax = (snapshot: Snapshot): Snapshot =>
  snapshot.map((metric) => {
    const choice = choices[metric.name];
    if (!choice) return metric;
    return { ...metric, aggregator: choice.aggregator, help: `${metric.help.replace(/\.$/, '')}, ${choice.whose}` };
  });
