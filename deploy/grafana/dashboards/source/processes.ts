/** The rows of the dashboard "Exchange" about its processes: the workers and the primary of each instance. */
import type { Row } from './dashboard.ts';
import { of, rate, sum } from './queries.ts';

export const workers: Row = {
  title: 'Workers',
  panels: [
    {
      title: 'Workers by instance',
      description:
        'Ready workers, and how many should be. A dip means that a worker exited or is being replaced. Ready is 1 if the instance takes traffic.',
      unit: 'short',
      width: 8,
      queries: [
        { expr: of('exchange_workers'), legend: '{{instance}}' },
        { expr: of('exchange_workers_configured'), legend: '{{instance}} configured' },
        { expr: of('exchange_ready'), legend: '{{instance}} ready' },
      ],
    },
    {
      title: 'Unexpected worker exits, last 10 minutes',
      description: 'Zero in a healthy exchange. The in-flight requests of the worker are lost.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: `increase(${of('exchange_worker_deaths_total')}[10m])`, legend: '{{instance}}' }],
    },
    {
      title: 'Workers replaced, last 10 minutes',
      description:
        'exit: exited unexpectedly. heartbeat: sent no heartbeat for 5 s and was killed. roll: rolling restart, without a lost request.',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: sum(`increase(${of('exchange_worker_replacements_total')}[10m])`, 'instance, reason'),
          legend: '{{instance}} {{reason}}',
        },
      ],
    },
    {
      title: 'Latest configuration reload succeeded',
      description:
        '0 if the latest SIGHUP failed: a file is invalid, or a new worker did not become ready. The log has the reason.',
      unit: 'short',
      width: 8,
      queries: [{ expr: of('exchange_config_reload_successful'), legend: '{{instance}}' }],
    },
    {
      title: 'Event-loop lag of the worst worker',
      description: 'An idle worker shows 10 ms. A p99 of tens of milliseconds means that a worker is saturated.',
      unit: 's',
      width: 8,
      queries: [
        { expr: of('nodejs_eventloop_lag_p50_seconds'), legend: '{{instance}} p50' },
        { expr: of('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}} p99' },
      ],
    },
    {
      title: 'Event-loop utilization of the busiest worker',
      description: 'Share of the time in which its event loop was busy. From about 80% on, requests queue up.',
      unit: 'percentunit',
      width: 8,
      lines: [{ at: 0.85, colour: 'red' }],
      queries: [{ expr: of('exchange_worker_event_loop_utilization_ratio'), legend: '{{instance}}' }],
    },
    {
      title: 'Open file descriptors of the worst worker',
      description: 'Share of its limit (ulimit -n). At 100%, the worker cannot accept connections or call partners.',
      unit: 'percentunit',
      width: 8,
      lines: [{ at: 0.8, colour: 'red' }],
      queries: [{ expr: `${of('process_open_fds')} / ${of('process_max_fds')}`, legend: '{{instance}}' }],
    },
    {
      title: 'Workers without a file descriptor',
      description: 'Number of workers of an instance that have none left, on average: they close new connections.',
      unit: 'short',
      width: 8,
      queries: [{ expr: rate('exchange_descriptors_exhausted_seconds_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Worker CPU, in cores',
      description: 'Sum over the workers of an instance. At WORKERS, all workers are saturated.',
      unit: 'short',
      width: 8,
      queries: [
        { expr: rate('process_cpu_user_seconds_total'), legend: '{{instance}} user' },
        { expr: rate('process_cpu_system_seconds_total'), legend: '{{instance}} system' },
      ],
    },
    {
      title: 'Worker memory',
      description: 'Sum over the workers of an instance. Steady growth over hours indicates a leak.',
      unit: 'bytes',
      width: 8,
      queries: [
        { expr: of('process_resident_memory_bytes'), legend: '{{instance}} resident' },
        { expr: of('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap in use' },
      ],
    },
    {
      title: 'Warnings by code',
      description:
        'Valid requests whose consent signals are missing or unreadable (partners get less data), or whose currency has no rate (no bid).',
      unit: 'ops',
      width: 8,
      queries: [{ expr: sum(rate('exchange_warnings_total'), 'code'), legend: '{{code}}' }],
    },
    {
      title: 'Log lines dropped, last 10 minutes',
      description: 'Zero unless the reader of standard output stopped, was too slow, or the disk is full.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: `increase(${of('exchange_log_lines_dropped_total')}[10m])`, legend: '{{instance}}' }],
    },
    {
      title: 'Auction log entries dropped, last 10 minutes',
      description: 'Sales that cannot be reconciled: the disk or the Redis of AUCTION_LOG was unavailable or too slow.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: `increase(${of('exchange_auction_log_dropped_total')}[10m])`, legend: '{{instance}}' }],
    },
    {
      title: 'Spans dropped, last 10 minutes',
      description:
        'Zero unless tracing is on and its collector is slow, failing or away. export_failed: it did not accept them. queue_full: no room while it took too long.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [
        {
          expr: sum(`increase(${of('exchange_spans_dropped_total')}[10m])`, 'instance, reason'),
          legend: '{{instance}} {{reason}}',
        },
      ],
    },
    {
      title: 'Age of the exchange rates',
      description: 'Time since the rates in use were determined. No data without RATES_FILE.',
      unit: 's',
      width: 8,
      queries: [{ expr: of('exchange_rates_age_seconds'), legend: '{{instance}}' }],
    },
    {
      title: 'Rejected rates files, last 10 minutes',
      description:
        'Zero unless RATES_FILE changed to something invalid. The last valid rates stay in use; the log has the reason.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: `increase(${of('exchange_rates_errors_total')}[10m])`, legend: '{{instance}}' }],
    },
  ],
};

export const primary: Row = {
  title: 'Primary: supervises the workers; without Redis, holds the rate-limit buckets',
  panels: [
    {
      title: 'Primary CPU, in cores',
      description:
        'The primary has one thread. Near 1 without Redis, rate-limit decisions queue up: use Redis or add instances.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: rate('exchange_primary_cpu_seconds_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Primary memory',
      description: 'Resident. Without Redis, it grows with the addresses and publishers of the last two seconds.',
      unit: 'bytes',
      width: 8,
      queries: [{ expr: of('exchange_primary_resident_memory_bytes'), legend: '{{instance}}' }],
    },
    {
      title: 'Primary event-loop lag, maximum',
      description: 'The longest stall between two scrapes. Without Redis, it delays rate-limit decisions.',
      unit: 's',
      width: 8,
      queries: [{ expr: of('exchange_primary_event_loop_lag_max_seconds'), legend: '{{instance}}' }],
    },
    {
      title: 'Primary stalls, last 10 minutes',
      description:
        'Time for which the primary was stopped or blocked for more than 1 s at once. Meanwhile, no worker is killed for its silence or replaced; without Redis, workers enforce their shares of the limits.',
      unit: 's',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: `increase(${of('exchange_primary_stall_seconds_total')}[10m])`, legend: '{{instance}}' }],
    },
  ],
};
