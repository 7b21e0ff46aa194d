/**
 * Counters and histograms for the hot path, registered with prom-client. Those of prom-client look up the labels at every
 * observation; here a label set is resolved once to a child that only adds. The exported values are the same.
 */
import type { Metric, MetricObject, Registry } from 'prom-client';

export interface FastMetricOptions {
  name: string;
  help: string;
  labelNames?: readonly string[];
  register: Registry;
}

type Labels = Record<string, string>;

/** One exported time series value. */
interface Sample {
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
  readonly #children = new Map<string, { labels: Labels; child: Child }>();

  constructor({ name, help, labelNames = [], register }: FastMetricOptions) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    register.registerMetric(this as unknown as Metric);
  }

  /** Returns the child for label values in the order of the label names. A new child is exported at once, with value 0. */
  child(...values: string[]): Child {
    const key = values.join('\n');
    let entry = this.#children.get(key);
    if (!entry) {
      const labels = Object.fromEntries(this.#labelNames.map((name, index) => [name, values[index]!]));
      this.#children.set(key, (entry = { labels, child: this.createChild() }));
    }
    return entry.child;
  }

  /** Every child with its labels. */
  children(): Iterable<{ labels: Labels; child: Child }> {
    return this.#children.values();
  }

  /** Called by the registry at every scrape. */
  async get(): Promise<MetricObject> {
    const values = [...this.#children.values()].flatMap(({ labels, child }) => this.samplesOf(child, labels));
    const { name, help, type, aggregator } = this;
    return { name, help, type, values, aggregator } as unknown as MetricObject;
  }

  protected abstract createChild(): Child;
  protected abstract samplesOf(child: Child, labels: Labels): Sample[];
}

export class CounterChild {
  count = 0;

  inc(): void {
    this.count++;
  }
}

export class FastCounter extends FastMetric<CounterChild> {
  readonly type = 'counter';

  protected createChild(): CounterChild {
    return new CounterChild();
  }

  protected samplesOf({ count }: CounterChild, labels: Labels): Sample[] {
    return [{ value: count, labels }];
  }
}

export class HistogramChild {
  readonly bounds: readonly number[];
  /** Observations per bucket, not cumulative; the last bucket is +Inf. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.counts[bucket]!++;
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

  protected createChild(): HistogramChild {
    return new HistogramChild(this.#bounds);
  }

  protected samplesOf({ counts, sum }: HistogramChild, labels: Labels): Sample[] {
    let cumulative = 0;
    const buckets = counts.map((count, bucket) => {
      cumulative += count;
      const le = this.#bounds[bucket] ?? '+Inf';
      return { value: cumulative, labels: { le, ...labels }, metricName: `${this.name}_bucket` };
    });
    return [
      ...buckets,
      { value: sum, labels, metricName: `${this.name}_sum` },
      { value: cumulative, labels, metricName: `${this.name}_count` },
    ];
  }
}
