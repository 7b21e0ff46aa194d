/** The metrics of the primary process, under their own names: the default names hold the aggregates of the workers. */
import { Counter, Gauge } from 'prom-client';

export function createPrimaryMetrics(nowMs: () => number): (Counter | Gauge)[] {
  const lag = new EventLoopLag(nowMs);
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
      help: 'Maximum event loop lag of the primary since the last scrape',
      registers: [],
      collect() {
        this.set(lag.takeMaxMs() / 1000);
      },
    }),
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'Start time of the primary in seconds since the Unix epoch',
      registers: [],
      collect() {
        this.set(Math.round(performance.timeOrigin / 1000));
      },
    }),
  ];
}

const lagIntervalMs = 20;

/** Measures how late a timer fires: the time for which the event loop was blocked. */
class EventLoopLag {
  readonly #nowMs: () => number;
  #dueAtMs: number;
  #maxMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#dueAtMs = nowMs() + lagIntervalMs;
    setInterval(() => this.#measure(), lagIntervalMs).unref();
  }

  /** Returns the maximum since the last call and resets it. A block in progress counts in this call and in the next. */
  takeMaxMs(): number {
    const maxMs = Math.max(this.#maxMs, this.#lagMs());
    this.#maxMs = 0;
    return maxMs;
  }

  #measure(): void {
    this.#maxMs = Math.max(this.#maxMs, this.#lagMs());
    this.#dueAtMs = this.#nowMs() + lagIntervalMs;
  }

  #lagMs(): number {
    return Math.max(0, this.#nowMs() - this.#dueAtMs);
  }
}
