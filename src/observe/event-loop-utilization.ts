/** The metric of how busy a worker's event loop is: the measure of saturation of a process with one thread. */
import { performance } from 'node:perf_hooks';
import { Gauge } from 'prom-client';

export function createUtilizationGauge(): Gauge {
  let last = performance.eventLoopUtilization();
  return new Gauge({
    name: 'exchange_worker_event_loop_utilization_ratio',
    help: 'Share of the time since the last poll in which the event loop was busy, maximum over all workers',
    aggregator: 'max', // a mean would hide one saturated worker
    registers: [],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
