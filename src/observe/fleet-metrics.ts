/** The metrics of all workers, in the primary: aggregated, and kept after a worker exits so that no counter decreases. */
import { AggregatorRegistry, Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { LiveSample } from '../contract/console-api.ts';
import { withAggregators } from './with-aggregators.ts';
import { createDroppedLinesCounter } from './log-metrics.ts';
import type { MetricsSnapshot } from './metrics.ts';
import { createPrimaryMetrics } from './primary-metrics.ts';

type LimitMode = LiveSample['limitMode'];
const modes = Object.keys({ redis: true, embedded: true, degraded: true } satisfies Record<LimitMode, true>);

export class FleetMetrics {
  /** The last snapshot of each running worker, by worker id. */
  readonly #snapshots = new Map<number, MetricsSnapshot>();
  readonly #modes = new Map<number, LimitMode>();
  readonly #normalMode: 'redis' | 'embedded';
  readonly #register = new Registry();
  /** Metrics that the workers have too: the values of the primary are summed with theirs. */
  readonly #summed = new Registry();
  readonly #unexpectedExits: Counter;
  /** Sums of the cumulative metrics of all workers that have exited. */
  #retired: MetricsSnapshot = [];
  #retirement: Promise<void> = Promise.resolve();

  /** `readyWorkers` returns their current number, of `configuredWorkers`; `normalMode` is the rate limit mode unless a worker is degraded. */
  constructor(
    readyWorkers: () => number,
    configuredWorkers: number,
    normalMode: 'redis' | 'embedded',
    nowMs = () => performance.now(),
  ) {
    this.#normalMode = normalMode;
    const currentMode = () => this.mode;
    const workers = new Gauge({
      name: 'exchange_workers',
      help: 'Workers that are ready',
      registers: [],
      collect() {
        this.set(readyWorkers());
      },
    });
    const configured = new Gauge({
      name: 'exchange_workers_configured',
      help: 'Workers that should be ready',
      registers: [],
    });
    configured.set(configuredWorkers);
    const mode = new Gauge({
      name: 'exchange_limit_mode',
      help: 'Rate limit mode: 1 for the current mode, 0 for the others; degraded if any worker is degraded',
      labelNames: ['mode'],
      registers: [],
      collect() {
        for (const name of modes) this.set({ mode: name }, name === currentMode() ? 1 : 0);
      },
    });
    this.#unexpectedExits = new Counter({
      name: 'exchange_worker_deaths_total',
      help: 'Workers that exited unexpectedly',
      registers: [],
    });
    for (const metric of [workers, configured, mode, this.#unexpectedExits, ...createPrimaryMetrics(nowMs)]) {
      this.#register.registerMetric(metric);
    }
    this.#summed.registerMetric(createDroppedLinesCounter());
  }

  /** Adds metrics that only the primary has. */
  add(metrics: Iterable<Metric>): void {
    for (const metric of metrics) this.#register.registerMetric(metric);
  }

  setSnapshot(worker: number, snapshot: MetricsSnapshot): void {
    this.#snapshots.set(worker, withAggregators(snapshot));
  }

  /** Whether any worker is in degraded mode. */
  get isDegraded(): boolean {
    return [...this.#modes.values()].includes('degraded');
  }

  setMode(worker: number, mode: LimitMode): void {
    this.#modes.set(worker, mode);
  }

  countUnexpectedExit(): void {
    this.#unexpectedExits.inc();
  }

  /** Call when a worker has exited: its counters and histograms are kept, its gauges are dropped. */
  retire(worker: number): Promise<void> {
    this.#modes.delete(worker);
    this.#retirement = this.#retirement.catch(() => {}).then(() => this.#addToRetired(worker));
    return this.#retirement;
  }

  /** Runs one at a time and swaps both fields without an await in between, so nothing is lost or counted twice. */
  async #addToRetired(worker: number): Promise<void> {
    const cumulative = (this.#snapshots.get(worker) ?? []).filter(({ type }) => isCumulative(type));
    const sum = await AggregatorRegistry.aggregate([this.#retired, cumulative]).getMetricsAsJSON();
    this.#retired = sum;
    this.#snapshots.delete(worker);
  }

  /** The aggregated metrics of all workers, running and exited. */
  async aggregated(): Promise<MetricsSnapshot> {
    return (await this.#aggregate()).getMetricsAsJSON();
  }

  /** The metrics of the workers and the primary in the Prometheus text format. */
  async text(): Promise<string> {
    const workers = await this.#aggregate();
    return `${await workers.metrics()}${await this.#register.metrics()}`;
  }

  async #aggregate(): Promise<Registry> {
    const ofPrimary = await this.#summed.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([ofPrimary, this.#retired, ...this.#snapshots.values()]);
  }

  /** Degraded if any worker is. */
  get mode(): LimitMode {
    return this.isDegraded ? 'degraded' : this.#normalMode;
  }
}

/** The type is a string in a worker's snapshot; prom-client declares it as an enum of numbers. */
const isCumulative = (type: unknown): boolean => type === 'counter' || type === 'histogram';
