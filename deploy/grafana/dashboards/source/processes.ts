/** The rows of the dashboard "Exchange" on its processes: the workers of a machine together, and their primary. */
import type { Row } from './dashboard.ts';
import { of, rate, sum } from './queries.ts';

export const processes: Row = {
  title: 'Processes',
  panels: [
    {
      title: 'Workers, by machine',
      description: 'A dip is a worker that died or is being replaced.',
      unit: 'short',
      width: 8,
      queries: [{ expr: of('exchange_workers'), legend: '{{instance}}' }],
    },
    {
      title: 'Workers that died (last 10 minutes)',
      description: 'Zero in a healthy exchange. Each took its requests under way with it.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: `increase(${of('exchange_worker_deaths_total')}[10m])`, legend: '{{instance}}' }],
    },
    {
      title: 'Event-loop lag of the worst worker',
      description:
        'Time during which a worker serves nobody; one at rest shows 10 ms. A p99 of tens of milliseconds is a worker at its end.',
      unit: 's',
      width: 8,
      queries: [
        { expr: of('nodejs_eventloop_lag_p50_seconds'), legend: '{{instance}} p50' },
        { expr: of('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}} p99' },
      ],
    },
    {
      title: 'CPU, in cores',
      description: 'All workers of a machine together; near WORKERS there is nothing left.',
      unit: 'short',
      width: 8,
      queries: [
        { expr: rate('process_cpu_user_seconds_total'), legend: '{{instance}} user' },
        { expr: rate('process_cpu_system_seconds_total'), legend: '{{instance}} system' },
      ],
    },
    {
      title: 'Memory',
      description: 'All workers of a machine together. Steady growth over hours is a leak.',
      unit: 'bytes',
      width: 8,
      queries: [
        { expr: of('process_resident_memory_bytes'), legend: '{{instance}} resident' },
        { expr: of('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap in use' },
      ],
    },
    {
      title: 'Warnings on valid requests, by code',
      description: 'Privacy signals that are missing or cannot be read; the requests are served with less.',
      unit: 'ops',
      width: 8,
      queries: [{ expr: sum(rate('exchange_warnings_total'), 'code'), legend: '{{code}}' }],
    },
  ],
};

export const primary: Row = {
  title: 'The primary, by machine: it hands out connections, and without Redis it holds the buckets of the limits',
  panels: [
    {
      title: 'CPU of the primary, in cores',
      description:
        'Its work is that of one thread: near 1, connections and decisions wait. Use Redis, or more machines.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [{ expr: rate('exchange_primary_cpu_seconds_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Memory of the primary',
      description: 'Resident. Without Redis it grows with the addresses and publishers of the last second.',
      unit: 'bytes',
      width: 8,
      queries: [{ expr: of('exchange_primary_resident_memory_bytes'), legend: '{{instance}}' }],
    },
    {
      title: 'Event-loop lag of the primary, at its worst',
      description:
        'The longest time for which it served nobody between two scrapes. Tens of milliseconds hold up requests.',
      unit: 's',
      width: 8,
      queries: [{ expr: of('exchange_primary_event_loop_lag_max_seconds'), legend: '{{instance}}' }],
    },
  ],
};
