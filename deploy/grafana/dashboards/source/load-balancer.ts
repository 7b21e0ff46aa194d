/** The row of the dashboard "Exchange" that shows HAProxy's view: what callers feel, beside what the exchange reports. */
import type { Row } from './dashboard.ts';

const ofBackend = (metric: string): string => `max(haproxy_backend_${metric}{proxy="exchange"})`;

export const loadBalancer: Row = {
  title: 'Load balancer: latency and queues as HAProxy sees them',
  panels: [
    {
      title: 'Mean latency at HAProxy and in the exchange',
      description:
        'HAProxy: queue, connect and response time, mean of its last 1,024 requests. Exchange: mean over 5 minutes, all instances. If HAProxy is higher, requests wait where the exchange does not measure.',
      unit: 's',
      width: 8,
      colours: { HAProxy: 'red', exchange: 'green' },
      queries: [
        { expr: 'exchange:load_balancer_latency:mean', legend: 'HAProxy' },
        { expr: 'exchange:request_latency:mean5m', legend: 'exchange' },
      ],
    },
    {
      title: 'Time per request at HAProxy',
      description:
        'Means of the last 1,024 requests. queue: every instance had its maxconn. connect: an instance did not accept connections fast enough. response: until the first byte of the response.',
      unit: 's',
      width: 8,
      stacked: true,
      queries: ['queue', 'connect', 'response'].map((part) => ({
        expr: ofBackend(`${part}_time_average_seconds`),
        legend: part,
      })),
    },
    {
      title: 'Requests in the queue of HAProxy',
      description:
        'Zero unless every instance has its maxconn. A request that waits longer than timeout queue gets 503.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'orange' }],
      queries: [{ expr: ofBackend('current_queue'), legend: 'queued' }],
    },
  ],
};
