/** Aggregates per-process gauges by the worst value over the workers: a sum or a mean would hide one overloaded worker. */
import type { Aggregator } from 'prom-client';
import type { MetricsSnapshot } from './metrics.ts';

interface Aggregation {
  aggregator: Aggregator;
  helpSuffix: string;
}

const max: Aggregation = { aggregator: 'max', helpSuffix: 'maximum over all workers' };

/** Other metrics are summed, or use prom-client's own aggregator: minimum lag, version once, no start time. */
const aggregations: Record<string, Aggregation> = {
  nodejs_eventloop_lag_seconds: max,
  nodejs_eventloop_lag_max_seconds: max,
  nodejs_eventloop_lag_mean_seconds: max,
  nodejs_eventloop_lag_stddev_seconds: max,
  nodejs_eventloop_lag_p50_seconds: max,
  nodejs_eventloop_lag_p90_seconds: max,
  nodejs_eventloop_lag_p99_seconds: max,
  // The file descriptor limit applies per process.
  process_open_fds: max,
  process_max_fds: { aggregator: 'min', helpSuffix: 'minimum over all workers' },
};

export const withAggregators = (snapshot: MetricsSnapshot): MetricsSnapshot =>
  snapshot.map((metric) => {
    const aggregation = aggregations[metric.name];
    if (!aggregation) return metric;
    const { aggregator, helpSuffix } = aggregation;
    return { ...metric, aggregator, help: `${metric.help.replace(/\.$/, '')}, ${helpSuffix}` };
  });
