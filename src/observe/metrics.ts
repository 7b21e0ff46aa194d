/** The metrics of a worker, in their own registry. Label values are closed lists or partner names, never caller input. */
import { collectDefaultMetrics, Counter, Gauge, type MetricObject, Registry } from 'prom-client';
import { countExhaustedFiles } from './open-files.ts';
import { createUtilizationGauge } from './event-loop-utilization.ts';
import { FastCounter, FastHistogram } from './fast-metrics.ts';
import { createDroppedLinesCounter } from './log-metrics.ts';

/** Starts at 0.5 ms and includes the latency targets 50, 100 and 200 ms. */
export const requestBuckets = [
  0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5,
];
export const stageBuckets = [0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** All metrics of a registry as JSON. */
export type MetricsSnapshot = MetricObject[];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const register = new Registry();
  collectDefaultMetrics({ register });
  countExhaustedFiles(register);
  register.registerMetric(createDroppedLinesCounter());
  register.registerMetric(createUtilizationGauge());
  return createExchangeMetrics(register);
}

/** Without those of the process. */
export function createExchangeMetrics(register = new Registry()) {
  return {
    register,
    ...requestMetrics(register),
    ...lossMetrics(register),
    ...overloadMetrics(register),
    ...limitMetrics(register),
    ...partnerMetrics(register),
  };
}

function requestMetrics(register: Registry) {
  return {
    requestDuration: new FastHistogram({
      name: 'exchange_request_duration_seconds',
      help: 'Time from when the first bytes of a request could have been read to its response',
      labelNames: ['outcome', 'mode'],
      buckets: requestBuckets,
      register,
    }),
    stageDuration: new FastHistogram({
      name: 'exchange_stage_duration_seconds',
      help: 'Time that a request spends in each stage',
      labelNames: ['stage'],
      buckets: stageBuckets,
      register,
    }),
    errors: new FastCounter({
      name: 'exchange_errors_total',
      help: 'Error responses by code',
      labelNames: ['code'],
      register,
    }),
    warnings: new FastCounter({
      name: 'exchange_warnings_total',
      help: 'Warnings on valid requests by code',
      labelNames: ['code'],
      register,
    }),
  };
}

/** What was lost of the auction log and of the traces. */
function lossMetrics(register: Registry) {
  return {
    auctionLogDropped: new Counter({
      name: 'exchange_auction_log_dropped_total',
      help: 'Entries of the auction log that were dropped because they could not be written',
      registers: [register],
    }),
    spansDropped: new Counter({
      name: 'exchange_spans_dropped_total',
      help: 'OpenTelemetry spans that no collector gets, by reason: queue_full or export_failed',
      labelNames: ['reason'],
      registers: [register],
    }),
  };
}

function overloadMetrics(register: Registry) {
  return {
    queueDelay: new FastHistogram({
      name: 'exchange_queue_delay_seconds',
      help: 'Time that a request waited in the worker before it was handled or shed',
      buckets: stageBuckets,
      register,
    }),
    shed: new FastCounter({
      name: 'exchange_shed_total',
      help: 'Requests that got 503, and connections closed because of overload or too many of one client, by reason',
      labelNames: ['reason'],
      register,
    }),
    responsesCut: new FastCounter({
      name: 'exchange_responses_cut_total',
      help: 'Connections closed because the client did not read its response, by reason: timeout or memory',
      labelNames: ['reason'],
      register,
    }),
    descriptorsExhausted: new FastCounter({
      name: 'exchange_descriptors_exhausted_seconds_total',
      help: 'Time in which a worker had no file descriptor left and closed new connections',
      register,
    }),
  };
}

function limitMetrics(register: Registry) {
  return {
    limitDecisions: new FastCounter({
      name: 'exchange_limit_decisions_total',
      help: 'Rate limit decisions; scope is the limit that refused, none if admitted',
      labelNames: ['verdict', 'scope'],
      register,
    }),
    limitStoreDuration: new FastHistogram({
      name: 'exchange_limit_store_duration_seconds',
      help: 'Duration of one call to the bucket store (Redis or the primary), for a batch of any size',
      buckets: stageBuckets,
      register,
    }),
  };
}

function partnerMetrics(register: Registry) {
  return {
    partnerDuration: new FastHistogram({
      name: 'exchange_partner_duration_seconds',
      help: 'Time spent waiting for a partner, by result',
      labelNames: ['partner', 'result'],
      buckets: requestBuckets,
      register,
    }),
    bids: new FastCounter({
      name: 'exchange_bids_total',
      help: 'Bids received, by verdict: won, lost, or the reason for rejection',
      labelNames: ['partner', 'verdict'],
      register,
    }),
    breaker: new Gauge({
      name: 'exchange_partner_breaker',
      help: 'Workers whose circuit breaker for a partner is in this state',
      labelNames: ['partner', 'state'],
      registers: [register],
    }),
  };
}
