/** The aggregation of the workers' metrics in the primary, and the metrics of the primary itself. */
import { describe, expect, test } from '@jest/globals';
import { FleetMetrics } from '../../src/observe/fleet-metrics.ts';
import { createMetrics, type MetricsSnapshot } from '../../src/observe/metrics.ts';
import { Recorder } from '../../src/observe/recorder.ts';
import { until } from '../support/until.ts';

interface JsonMetric {
  name: string;
  values: { value: number }[];
}

/** A real snapshot of a worker as it arrives over IPC, with some values replaced. */
async function createSnapshot(values: Record<string, number> = {}): Promise<MetricsSnapshot> {
  const workerMetrics = createMetrics();
  new Recorder(workerMetrics).prime({
    outcomes: ['bid', 'no_bid', 'invalid', 'refused', 'error'],
    scopes: ['ip', 'publisher', 'global'],
    errorCodes: [],
    shedReasons: [],
    warningCodes: [],
    partners: [],
    partnerResults: [],
  });
  const snapshot = JSON.parse(JSON.stringify(await workerMetrics.register.getMetricsAsJSON())) as JsonMetric[];
  for (const [name, value] of Object.entries(values)) {
    snapshot.find((metric) => metric.name === name)!.values[0]!.value = value;
  }
  return snapshot as unknown as MetricsSnapshot;
}

const create = () => new FleetMetrics(() => 2, 2, 'embedded');

async function read(metrics: FleetMetrics, series: string): Promise<number | undefined> {
  const line = (await metrics.text()).split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

async function aggregateTwo(name: string, first: number, second: number): Promise<number | undefined> {
  const metrics = create();
  metrics.setSnapshot(1, await createSnapshot({ [name]: first }));
  metrics.setSnapshot(2, await createSnapshot({ [name]: second }));
  return read(metrics, name);
}

describe('aggregation over all workers', () => {
  test.each(['', 'mean_', 'stddev_', 'p50_', 'p90_', 'p99_', 'max_'])(
    'takes the maximum of nodejs_eventloop_lag_%sseconds',
    async (kind) => {
      expect(await aggregateTwo(`nodejs_eventloop_lag_${kind}seconds`, 0.01, 0.4)).toBe(0.4);
      expect(await aggregateTwo(`nodejs_eventloop_lag_${kind}seconds`, 0.4, 0.01)).toBe(0.4);
    },
  );

  test('takes the maximum of open file descriptors and the limit of one worker', async () => {
    expect(await aggregateTwo('process_open_fds', 900, 30)).toBe(900);
    expect(await aggregateTwo('process_max_fds', 1024, 1024)).toBe(1024);
  });

  test.each([
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'nodejs_heap_size_used_bytes',
    'exchange_log_lines_dropped_total',
    'exchange_auction_log_dropped_total',
  ])('sums %s', async (name) => expect(await aggregateTwo(name, 3, 4)).toBe(7));

  test('exports the Node.js version once', async () => {
    const metrics = create();
    for (const worker of [1, 2]) metrics.setSnapshot(worker, await createSnapshot());
    expect(await metrics.text()).toMatch(/^nodejs_version_info\{.*\} 1$/m);
  });

  test('states the aggregation in the help text', async () => {
    const metrics = create();
    metrics.setSnapshot(1, await createSnapshot());
    const text = await metrics.text();
    expect(text).toMatch(/^# HELP nodejs_eventloop_lag_p99_seconds .*maximum over all workers$/m);
    expect(text).toMatch(/^# HELP process_max_fds .*minimum over all workers$/m);
  });
});

describe('after a worker exits', () => {
  test('its counters and histograms are kept, including CPU time and garbage collection', async () => {
    const metrics = create();
    metrics.setSnapshot(
      1,
      withGarbageCollections(await createSnapshot({ process_cpu_user_seconds_total: 5, process_cpu_seconds_total: 7 })),
    );
    metrics.setSnapshot(2, await createSnapshot({ process_cpu_user_seconds_total: 1, process_cpu_seconds_total: 2 }));
    await metrics.retire(1);
    expect(await read(metrics, 'process_cpu_user_seconds_total')).toBe(6);
    expect(await read(metrics, 'process_cpu_seconds_total')).toBe(9);
    expect(await read(metrics, 'nodejs_gc_duration_seconds_count{kind="minor"}')).toBe(3);
  });

  test('its gauges are dropped', async () => {
    const metrics = create();
    const first = { process_resident_memory_bytes: 500, nodejs_eventloop_lag_max_seconds: 9 };
    const second = { process_resident_memory_bytes: 100, nodejs_eventloop_lag_max_seconds: 1 };
    metrics.setSnapshot(1, await createSnapshot(first));
    metrics.setSnapshot(2, await createSnapshot(second));
    await metrics.retire(1);
    expect(await read(metrics, 'process_resident_memory_bytes')).toBe(100);
    expect(await read(metrics, 'nodejs_eventloop_lag_max_seconds')).toBe(1);
  });
});

/** Sets three garbage collections; a short test may have none. */
function withGarbageCollections(snapshot: MetricsSnapshot): MetricsSnapshot {
  const count = { metricName: 'nodejs_gc_duration_seconds_count', labels: { kind: 'minor' }, value: 3 };
  return snapshot.map((metric) =>
    metric.name === 'nodejs_gc_duration_seconds' ? { ...metric, values: [count] } : metric,
  );
}

describe('the primary', () => {
  test('exports its own CPU time, memory and start time apart from the sums of the workers', async () => {
    const metrics = create();
    metrics.setSnapshot(1, await createSnapshot());
    const cpu = process.cpuUsage();
    expect(await read(metrics, 'exchange_primary_cpu_seconds_total')).toBeGreaterThanOrEqual(
      (cpu.user + cpu.system) / 1e6,
    );
    expect(await read(metrics, 'exchange_primary_resident_memory_bytes')).toBeGreaterThan(10e6);
    const started = await read(metrics, 'process_start_time_seconds');
    expect(Math.abs(started! - (Date.now() / 1000 - process.uptime()))).toBeLessThan(5);
  });

  test('exports its maximum event loop lag since the last scrape', async () => {
    let nowMs = 0;
    const metrics = new FleetMetrics(
      () => 2,
      2,
      'embedded',
      () => nowMs,
    );
    const lag = () => read(metrics, 'exchange_primary_event_loop_lag_max_seconds');
    nowMs = 320; // the timer was due at 20
    expect(await lag()).toBe(0.3);
    await until('a scrape finds none', async () => (await lag()) === 0);
  });
});
