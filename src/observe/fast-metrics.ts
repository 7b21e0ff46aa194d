/**
 * Counters and histograms for the hot path, on prom-client's registry. Its own look up their labels at every observation;
 * here a label set is resolved once, to a cell that only adds. What the registry reads is what its own would tell.
 */
import type { Metric, MetricObject, Registry } from 'prom-client';

export interface FastMetricOptions {
  name: string;
  help: string;
  labelNames?: readonly string[];
  register: Registry;
}

type Labels = Record<string, string>;

/** One line of what a metric tells. */
interface Value {
  value: number;
  labels: Record<string, string | number>;
  metricName?: string;
}

abstract class FastMetric<Child> {
  readonly name: string;
  readonly help: string;
  readonly aggregator = 'sum';
  abstract readonly type: 'counter' | 'histogram';
  readonly #labelNames: readonly string[];
  readonly #cells = new Map<string, { labels: Labels; child: Child }>();

  constructor({ name, help, labelNames = [], register }: FastMetricOptions) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    register.registerMetric(this as unknown as Metric);
  }

  /** The cell of a label set, in the order of the label names; it is told from now on, at zero. */
  child(...values: string[]): Child {
    const key = values.join('\n');
    let known = this.#cells.get(key);
    if (!known) {
      const labels = Object.fromEntries(this.#labelNames.map((name, at) => [name, values[at]!]));
      this.#cells.set(key, (known = { labels, child: this.createCell() }));
    }
    return known.child;
  }

  /** What the registry asks for. */
  async get(): Promise<MetricObject> {
    const values = [...this.#cells.values()].flatMap(({ labels, child }) => this.valuesOf(child, labels));
    const { name, help, type, aggregator } = this;
    return { name, help, type, values, aggregator } as unknown as MetricObject;
  }

  protected abstract createCell(): Child;
  protected abstract valuesOf(child: Child, labels: Labels): Value[];
}

export class CounterChild {
  count = 0;

  inc(): void {
    this.count++;
  }
}

export class FastCounter extends FastMetric<CounterChild> {
  readonly type = 'counter';

  protected createCell(): CounterChild {
    return new CounterChild();
  }

  protected valuesOf({ count }: CounterChild, labels: Labels): Value[] {
    return [{ value: count, labels }];
  }
}

export class HistogramChild {
  readonly bounds: readonly number[];
  /** How many fell under each bound and over the one before; the last is of those beyond all. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

export class FastHistogram extends FastMetric<HistogramChild> {
  readonly type = 'histogram';
  readonly #bounds: readonly number[];

  constructor({ buckets, ...options }: FastMetricOptions & { buckets: readonly number[] }) {
    super(options);
    this.#bounds = buckets;
  }

  protected createCell(): HistogramChild {
    return new HistogramChild(this.#bounds);
  }

  protected valuesOf({ counts, sum }: HistogramChild, labels: Labels): Value[] {
    let below = 0;
    const buckets = counts.map((count, at) => {
      below += count;
      const le = this.#bounds[at] ?? '+Inf';
      return { value: below, labels: { le, ...labels }, metricName: `${this.name}_bucket` };
    });
    return [
      ...buckets,
      { value: sum, labels, metricName: `${this.name}_sum` },
      { value: below, labels, metricName: `${this.name}_count` },
    ];
  }
}
