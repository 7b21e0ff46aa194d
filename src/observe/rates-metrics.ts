/** The metrics of the rates file, which the primary reads. */
import { Counter, Gauge } from 'prom-client';

export interface RatesMetrics {
  all: (Counter | Gauge)[];
  countError(): void;
}

/** `asOfMs` returns when the rates in use were determined, in milliseconds since the Unix epoch. */
export function createRatesMetrics(asOfMs: () => number, nowMs: () => number): RatesMetrics {
  const errors = new Counter({
    name: 'exchange_rates_errors_total',
    help: 'Changes of the rates file that were rejected; the last valid rates stay in use',
    registers: [],
  });
  const age = new Gauge({
    name: 'exchange_rates_age_seconds',
    help: 'Age of the exchange rates in use: time since dataAsOf, or since the file was modified',
    registers: [],
    collect() {
      this.set(Math.max(0, nowMs() - asOfMs()) / 1000);
    },
  });
  return { all: [errors, age], countError: () => errors.inc() };
}
