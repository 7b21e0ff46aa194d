/** Every metric there is, on a registry of its own. Labels are closed lists or partner names: never a caller's words. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { FastCounter, FastHistogram } from './fast-metrics.ts';

/** From half a millisecond, with the latency targets among them. */
const requestBuckets = [
  0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5,
];
const stageBuckets = [0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return { register, ...requestMetrics(register), ...limitMetrics(register), ...partnerMetrics(register) };
}

function requestMetrics(register: Registry) {
  return {
    requestDuration: new FastHistogram({
      name: 'exchange_request_duration_seconds',
      help: 'Time from the arrival of a request to its answer',
      labelNames: ['outcome', 'mode'],
      buckets: requestBuckets,
      register,
    }),
    stageDuration: new FastHistogram({
      name: 'exchange_stage_duration_seconds',
      help: 'Time that a request spends at each station',
      labelNames: ['stage'],
      buckets: stageBuckets,
      register,
    }),
    errors: new FastCounter({
      name: 'exchange_errors_total',
      help: 'Error answers by code',
      labelNames: ['code'],
      register,
    }),
    warnings: new FastCounter({
      name: 'exchange_warnings_total',
      help: 'Warnings on requests that are valid all the same',
      labelNames: ['code'],
      register,
    }),
  };
}

function limitMetrics(register: Registry) {
  return {
    limitDecisions: new FastCounter({
      name: 'exchange_limit_decisions_total',
      help: 'Decisions of the limits; scope is the one that refused',
      labelNames: ['verdict', 'scope'],
      register,
    }),
    limitStoreDuration: new FastHistogram({
      name: 'exchange_limit_store_duration_seconds',
      help: 'Time for one call to the place where the buckets are, whatever its size',
      buckets: stageBuckets,
      register,
    }),
  };
}

function partnerMetrics(register: Registry) {
  return {
    partnerDuration: new FastHistogram({
      name: 'exchange_partner_duration_seconds',
      help: 'Time that partners are waited for, by how that ended',
      labelNames: ['partner', 'result'],
      buckets: requestBuckets,
      register,
    }),
    bids: new FastCounter({
      name: 'exchange_bids_total',
      help: 'Bids received, each counted once with its verdict',
      labelNames: ['partner', 'verdict'],
      register,
    }),
    breaker: new Gauge({
      name: 'exchange_partner_breaker',
      help: 'Workers whose breaker for a partner is in that state',
      labelNames: ['partner', 'state'],
      registers: [register],
    }),
  };
}
