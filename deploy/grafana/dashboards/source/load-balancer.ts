/** The row of the dashboard "Exchange" that shows HAProxy's view: what callers feel, beside what the exchange reports. */
import type { Row } from './dashboard.ts';
import { sum } from './queries.ts';

const ofBackend = (metric: string): string => `max(haproxy_backend_${metric}{proxy="exchange"})`;

const ofHaproxy = (metric: string, labels: string): string => `rate(haproxy_${metric}{${labels}}[$__rate_interval])`;

export const loadBalancer: Row = {
  title: 'Load balancer: latency, queues and errors as HAProxy sees them',
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
    {
      title: 'Requests without a response of the exchange',
      description:
        'HAProxy sent 502, 503 or 504 itself, or closed the connection because an instance closed a kept-alive one. The metrics of the exchange do not count these requests. Zero is normal.',
      unit: 'reqps',
      width: 12,
      queries: [
        {
          expr: `clamp_min(${sum(ofHaproxy('backend_http_responses_total', 'proxy="exchange", code="5xx"'))} - ${sum(ofHaproxy('server_http_responses_total', 'proxy="exchange", code="5xx"'))}, 0)`,
          legend: 'error of HAProxy',
        },
        {
          expr: `clamp_min(${sum(ofHaproxy('frontend_http_requests_total', 'proxy="bids"'))} - ${sum(ofHaproxy('frontend_http_responses_total', 'proxy="bids"'))}, 0)`,
          legend: 'connection closed',
        },
      ],
    },
    {
      title: 'Share of requests without a response of the exchange',
      description: 'The budget is 0.1%. Over 1.44% in the last hour and the last 5 minutes pages.',
      unit: 'percentunit',
      width: 12,
      lines: [{ at: 0.0144, colour: 'red' }],
      queries: ['5m', '1h'].map((window) => ({
        expr: `exchange:load_balancer_errors:ratio_rate${window}`,
        legend: `last ${window}`,
      })),
    },
  ],
};
