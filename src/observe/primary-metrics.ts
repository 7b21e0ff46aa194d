/** What the primary tells of itself, under names of its own: the usual ones are sums over the workers. */
import { Counter, Gauge } from 'prom-client';
import { LoopLag } from './loop-lag.ts';

export function createPrimaryMetrics(): (Counter | Gauge)[] {
  const lag = new LoopLag();
  return [
    new Counter({
      name: 'exchange_primary_cpu_seconds_total',
      help: 'User and system CPU time of the primary',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    }),
    new Gauge({
      name: 'exchange_primary_resident_memory_bytes',
      help: 'Resident memory of the primary',
      registers: [],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    }),
    new Gauge({
      name: 'exchange_primary_event_loop_lag_max_seconds',
      help: 'The longest time for which the primary served nobody since this was last asked for',
      registers: [],
      collect() {
        this.set(lag.takeLongestMs() / 1000);
      },
    }),
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'When the primary, and with it the exchange, was started, in seconds since the epoch',
      registers: [],
      collect() {
        this.set(Math.round(performance.timeOrigin / 1000));
      },
    }),
  ];
}
