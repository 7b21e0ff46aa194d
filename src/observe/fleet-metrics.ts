/** The metrics of all workers, in the primary: summed, and kept for workers that are gone, so that no counter falls back. */
import { AggregatorRegistry, Counter, Gauge, type MetricObject, Registry } from 'prom-client';
import { createPrimaryMetrics } from './primary-metrics.ts';
import { aggregateByMax } from './aggregate-by-max.ts';

/** What a worker tells of its registry. */
export type Snapshot = MetricObject[];

const modes = ['redis', 'embedded', 'degraded'] as const;

export class FleetMetrics {
  readonly #latest = new Map<number, Snapshot>();
  readonly #modes = new Map<number, string>();
  readonly #baseMode: string;
  readonly #register = new Registry();
  readonly #deaths: Counter;
  #gone: Snapshot = [];
  #burials: Promise<void> = Promise.resolve();

  /** `workers` are those that serve now; `baseMode` is how limits are kept while nothing is amiss. */
  constructor(workers: () => number, baseMode: 'redis' | 'embedded') {
    this.#baseMode = baseMode;
    const modeNow = () => this.#mode();
    const alive = new Gauge({
      name: 'exchange_workers',
      help: 'Workers that serve',
      registers: [],
      collect() {
        this.set(workers());
      },
    });
    const mode = new Gauge({
      name: 'exchange_limit_mode',
      help: 'How limits are kept: 1 for the mode in force, degraded if any worker is',
      labelNames: ['mode'],
      registers: [],
      collect() {
        for (const one of modes) this.set({ mode: one }, one === modeNow() ? 1 : 0);
      },
    });
    this.#deaths = new Counter({
      name: 'exchange_worker_deaths_total',
      help: 'Workers that died unasked',
      registers: [],
    });
    for (const metric of [alive, mode, this.#deaths, ...createPrimaryMetrics()]) this.#register.registerMetric(metric);
  }

  take(worker: number, snapshot: Snapshot): void {
    this.#latest.set(worker, aggregateByMax(snapshot));
  }

  setMode(worker: number, mode: string): void {
    this.#modes.set(worker, mode);
  }

  died(): void {
    this.#deaths.inc();
  }

  /** A worker is gone: what it counted stays counted, what it measured of itself does not. */
  gone(worker: number): Promise<void> {
    this.#modes.delete(worker);
    this.#burials = this.#burials.then(() => this.#bury(worker));
    return this.#burials;
  }

  /** One after the other, and out of the living in the same moment as into the sum: nothing is lost or counted twice. */
  async #bury(worker: number): Promise<void> {
    const counted = (this.#latest.get(worker) ?? []).filter(({ type }) => isCumulative(type));
    const sum = await AggregatorRegistry.aggregate([this.#gone, counted]).getMetricsAsJSON();
    this.#gone = sum;
    this.#latest.delete(worker);
  }

  /** All that is known, as one list. */
  async summed(): Promise<Snapshot> {
    return this.#aggregate().getMetricsAsJSON();
  }

  /** The text that Prometheus reads. */
  async text(): Promise<string> {
    return `${await this.#aggregate().metrics()}${await this.#register.metrics()}`;
  }

  #aggregate(): Registry {
    return AggregatorRegistry.aggregate([this.#gone, ...this.#latest.values()]);
  }

  #mode(): string {
    return [...this.#modes.values()].includes('degraded') ? 'degraded' : this.#baseMode;
  }
}

/** As text in what comes from a worker, as a number in prom-client's own types. */
const isCumulative = (type: unknown): boolean => type === 'counter' || type === 'histogram';
