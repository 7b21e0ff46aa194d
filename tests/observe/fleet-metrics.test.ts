/** What the primary makes of its workers' metrics, and what it tells of itself. */
import { describe, expect, test } from '@jest/globals';
import { createMetrics } from '../../src/observe/metrics.ts';
import { FleetMetrics, type Snapshot } from '../../src/observe/fleet-metrics.ts';
import { Recorder } from '../../src/observe/recorder.ts';

/** A worker's real snapshot as it comes over IPC, with some of its figures set. */
async function snapshot(figures: Record<string, number> = {}): Promise<Snapshot> {
  const catalogue = createMetrics();
  new Recorder(catalogue).prime([], [], []);
  const told = JSON.parse(JSON.stringify(await catalogue.register.getMetricsAsJSON())) as Told[];
  for (const [name, value] of Object.entries(figures))
    told.find((metric) => metric.name === name)!.values[0]!.value = value;
  return told as unknown as Snapshot;
}

interface Told {
  name: string;
  values: { value: number }[];
}

const create = () => new FleetMetrics(() => 2, 'embedded');

async function read(metrics: FleetMetrics, series: string): Promise<number | undefined> {
  const line = (await metrics.text()).split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

async function ofTwo(name: string, first: number, second: number): Promise<number | undefined> {
  const metrics = create();
  metrics.take(1, await snapshot({ [name]: first }));
  metrics.take(2, await snapshot({ [name]: second }));
  return read(metrics, name);
}

describe('one figure for all workers', () => {
  test.each(['', 'mean_', 'stddev_', 'p50_', 'p90_', 'p99_', 'max_'])(
    'event-loop lag (%s) is that of the worst',
    async (kind) => {
      expect(await ofTwo(`nodejs_eventloop_lag_${kind}seconds`, 0.01, 0.4)).toBe(0.4);
      expect(await ofTwo(`nodejs_eventloop_lag_${kind}seconds`, 0.4, 0.01)).toBe(0.4);
    },
  );

  test('file descriptors are those of the worker with the most, against the limit of one', async () => {
    expect(await ofTwo('process_open_fds', 900, 30)).toBe(900);
    expect(await ofTwo('process_max_fds', 1024, 1024)).toBe(1024);
  });

  test.each(['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_heap_size_used_bytes'])(
    '%s is a sum',
    async (name) => expect(await ofTwo(name, 3, 4)).toBe(7),
  );

  test('the version is told once', async () => {
    const metrics = create();
    for (const worker of [1, 2]) metrics.take(worker, await snapshot());
    expect(await metrics.text()).toMatch(/^nodejs_version_info\{.*\} 1$/m);
  });

  test('the help says whose figure it is', async () => {
    const metrics = create();
    metrics.take(1, await snapshot());
    const text = await metrics.text();
    expect(text).toMatch(/^# HELP nodejs_eventloop_lag_p99_seconds .*worst worker$/m);
    expect(text).toMatch(/^# HELP process_max_fds .*one worker$/m);
  });
});

describe('of a worker that is gone', () => {
  test('everything cumulative stays, its CPU time and its collections of garbage among it', async () => {
    const metrics = create();
    metrics.take(
      1,
      withCollection(await snapshot({ process_cpu_user_seconds_total: 5, process_cpu_seconds_total: 7 })),
    );
    metrics.take(2, await snapshot({ process_cpu_user_seconds_total: 1, process_cpu_seconds_total: 2 }));
    await metrics.gone(1);
    expect(await read(metrics, 'process_cpu_user_seconds_total')).toBe(6);
    expect(await read(metrics, 'process_cpu_seconds_total')).toBe(9);
    expect(await read(metrics, 'nodejs_gc_duration_seconds_count{kind="minor"}')).toBe(3);
  });

  test('what it measured of itself goes with it', async () => {
    const metrics = create();
    metrics.take(1, await snapshot({ process_resident_memory_bytes: 500, nodejs_eventloop_lag_max_seconds: 9 }));
    metrics.take(2, await snapshot({ process_resident_memory_bytes: 100, nodejs_eventloop_lag_max_seconds: 1 }));
    await metrics.gone(1);
    expect(await read(metrics, 'process_resident_memory_bytes')).toBe(100);
    expect(await read(metrics, 'nodejs_eventloop_lag_max_seconds')).toBe(1);
  });
});

/** With three collections of garbage, which a short test has not. */
function withCollection(told: Snapshot): Snapshot {
  const counted = { metricName: 'nodejs_gc_duration_seconds_count', labels: { kind: 'minor' }, value: 3 };
  return told.map((metric) =>
    metric.name === 'nodejs_gc_duration_seconds' ? { ...metric, values: [counted] } : metric,
  );
}

describe('the primary', () => {
  test('tells its CPU time, memory and start under names that are no sums of the workers', async () => {
    const metrics = create();
    metrics.take(1, await snapshot());
    const cpu = process.cpuUsage();
    expect(await read(metrics, 'exchange_primary_cpu_seconds_total')).toBeGreaterThanOrEqual(
      (cpu.user + cpu.system) / 1e6,
    );
    expect(await read(metrics, 'exchange_primary_resident_memory_bytes')).toBeGreaterThan(10e6);
    const started = await read(metrics, 'process_start_time_seconds');
    expect(Math.abs(started! - (Date.now() / 1000 - process.uptime()))).toBeLessThan(5);
  });

  test('tells how long its event loop was held up since it was last asked', async () => {
    const metrics = create();
    const lag = () => read(metrics, 'exchange_primary_event_loop_lag_max_seconds');
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(await lag()).toBeGreaterThan(0.25);
    await new Promise((resolve) => setTimeout(resolve, 50)); // the hold-up is over
    await lag();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await lag()).toBeLessThan(0.25);
  });
});
