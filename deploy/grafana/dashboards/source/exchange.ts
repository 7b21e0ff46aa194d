/** The dashboard "Exchange": SLOs of live traffic, and the metrics that explain a missed one. */
import { commandTimeoutMs } from '../../../../src/limits/redis-connection.ts';
import type { DashboardSpec, Row } from './dashboard.ts';
import { loadBalancer } from './load-balancer.ts';
import { primary, workers } from './processes.ts';
import {
  latencyTargets,
  of,
  quantile,
  quantileColours,
  quantiles,
  rate,
  sum,
  targetLines,
  targetRps,
  withAuction,
} from './queries.ts';

const requests = 'exchange_request_duration_seconds';
const withAuctionOrError = 'mode="live", outcome=~"bid|no_bid|error"';

const modes = [
  { mode: 'redis', colour: 'green' },
  { mode: 'embedded', colour: 'blue' },
  { mode: 'degraded', colour: 'red' },
];

const slo: Row = {
  title: 'SLO: live traffic of the last 5 minutes',
  height: 4,
  panels: [
    ...latencyTargets.map(({ name, quantile: q, targetSeconds }) => ({
      title: `${name} (target < ${targetSeconds * 1000} ms)`,
      description: `Latency of live bid and no-bid responses. Red from ${targetSeconds * 1000} ms.`,
      kind: 'stat' as const,
      unit: 's' as const,
      width: 4,
      lines: [{ at: targetSeconds, colour: 'red' }],
      queries: [{ expr: quantile(q, requests, withAuction, '', '5m'), legend: name }],
    })),
    {
      title: 'Live requests per second',
      description: `All live requests, whatever their outcome. The exchange must be able to sustain ${targetRps} per second.`,
      kind: 'stat',
      unit: 'reqps',
      width: 4,
      queries: [{ expr: sum(rate(`${requests}_count`, 'mode="live"', '5m')), legend: 'live' }],
    },
    {
      title: 'Server error rate (target < 0.1%)',
      description: 'Share of live requests that got 500 or 503. Rate-limited and invalid requests do not count.',
      kind: 'stat',
      unit: 'percentunit',
      width: 4,
      lines: [{ at: 0.001, colour: 'red' }],
      queries: [
        {
          expr: `(${sum(rate(`${requests}_count`, 'mode="live", outcome="error"', '5m'))} or vector(0)) / ${sum(rate(`${requests}_count`, withAuctionOrError, '5m'))}`,
          legend: 'errors',
        },
      ],
    },
    {
      title: 'Ready workers',
      description:
        'WORKERS times the number of instances. If it stays lower, see "Unexpected worker exits, last 10 minutes".',
      kind: 'stat',
      unit: 'short',
      width: 4,
      lines: [{ at: 1, colour: 'green' }],
      lowIsBad: true,
      queries: [{ expr: sum(of('exchange_workers')), legend: 'workers' }],
    },
  ],
};

const traffic: Row = {
  title: 'Latency and traffic',
  panels: [
    {
      title: 'Latency of live requests',
      description: 'Bid and no-bid responses. Dashed lines: the targets of p50, p95 and p99, in the same colours.',
      unit: 's',
      width: 12,
      lines: targetLines,
      colours: quantileColours,
      queries: quantiles(requests, withAuction),
    },
    {
      title: 'Requests per second',
      description: 'Dashed line: the throughput that the exchange must be able to sustain, not a minimum.',
      unit: 'reqps',
      width: 12,
      lines: [{ at: targetRps, colour: 'blue' }],
      queries: [{ expr: sum(rate(`${requests}_count`), 'mode'), legend: '{{mode}}' }],
    },
    {
      title: 'Live requests by outcome',
      description: 'refused: rate limited (429). invalid: any other 4xx. error: 500 or 503.',
      unit: 'reqps',
      width: 8,
      stacked: true,
      colours: { bid: 'green', no_bid: 'blue', invalid: 'yellow', refused: 'orange', error: 'red' },
      queries: [{ expr: sum(rate(`${requests}_count`, 'mode="live"'), 'outcome'), legend: '{{outcome}}' }],
    },
    {
      title: 'Errors by code',
      description:
        'INTERNAL_ERROR: a defect. SERVICE_UNAVAILABLE: load shedding. CLIENT_CLOSED_REQUEST: the client left before the response. The client causes all other error codes.',
      unit: 'reqps',
      width: 8,
      queries: [{ expr: sum(rate('exchange_errors_total'), 'code'), legend: '{{code}}' }],
    },
    {
      title: 'Shed requests and cut connections',
      description:
        'Shed: requests that got 503, and connections that were closed (overload, connections, pipeline). Cut: connections whose clients did not read their responses within 5 s (timeout), or which held too much memory.',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: sum(rate('exchange_shed_total'), 'reason'), legend: 'shed: {{reason}}' },
        { expr: sum(rate('exchange_responses_cut_total'), 'reason'), legend: 'cut: {{reason}}' },
      ],
    },
    {
      title: 'Queue delay of requests',
      description: 'Time that requests waited before a worker handled them. A worker sheds load while it stays high.',
      unit: 's',
      width: 8,
      colours: quantileColours,
      queries: quantiles('exchange_queue_delay_seconds'),
    },
    {
      title: 'Publishers with mostly invalid requests',
      description:
        'Publishers with at least 30 live requests in the last minute, of which at least half were invalid. The log names them: "publisher sends invalid requests".',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'orange' }],
      queries: [{ expr: of('exchange_invalid_publishers'), legend: '{{instance}}' }],
    },
    {
      title: 'Share of invalid live requests, last 15 minutes',
      description: 'Of all instances. Rate-limited requests and server errors do not count.',
      unit: 'percentunit',
      width: 8,
      lines: [{ at: 0.25, colour: 'orange' }],
      queries: [{ expr: 'exchange:invalid:ratio_rate15m', legend: 'invalid' }],
    },
    {
      title: 'Error budget burn rate, last hour',
      description:
        'At 1, the budget is spent exactly by the end of its period. Budgets: 50%, 5% and 1% of live requests over the latency targets, 0.1% server errors. Over all instances, from the recording rules.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'orange' }],
      queries: [
        { expr: 'exchange:slow_responses:ratio_rate1h{le="0.05"} / 0.5', legend: 'p50: over 50 ms' },
        { expr: 'exchange:slow_responses:ratio_rate1h{le="0.1"} / 0.05', legend: 'p95: over 100 ms' },
        { expr: 'exchange:slow_responses:ratio_rate1h{le="0.2"} / 0.01', legend: 'p99: over 200 ms' },
        { expr: 'exchange:errors:ratio_rate1h / 0.001', legend: 'errors' },
      ],
    },
  ],
};

const stages: Row = {
  title: 'Stages of a request',
  panels: [
    {
      title: 'p99 by stage',
      description: 'auction depends on the partners. All other stages should take a few milliseconds at most.',
      unit: 's',
      width: 12,
      queries: [{ expr: quantile(0.99, 'exchange_stage_duration_seconds', '', 'stage'), legend: '{{stage}}' }],
    },
    {
      title: 'Mean by stage',
      description: 'Stacked: the total is about the mean latency of a request that passes all stages.',
      unit: 's',
      width: 12,
      stacked: true,
      queries: [
        {
          expr: `${sum(rate('exchange_stage_duration_seconds_sum'), 'stage')} / ${sum(rate('exchange_stage_duration_seconds_count'), 'stage')}`,
          legend: '{{stage}}',
        },
      ],
    },
  ],
};

const limits: Row = {
  title: 'Rate limits',
  panels: [
    {
      title: 'Rate-limit mode by instance',
      description: 'degraded: the shared buckets are unreachable, and each worker enforces its share of every limit.',
      kind: 'states',
      unit: 'short',
      width: 8,
      names: Object.fromEntries(modes.map(({ mode, colour }, index) => [index + 1, { text: mode, color: colour }])),
      queries: [
        {
          expr: `max by (instance) (${modes.map(({ mode }, index) => `${of('exchange_limit_mode', `mode="${mode}"`)} * ${index + 1}`).join(' or ')})`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Rate-limit decisions per second',
      description: 'Rejections by the scope that rejected. Rejections by global affect all clients.',
      unit: 'ops',
      width: 8,
      colours: {
        admitted: 'green',
        'refused by ip': 'yellow',
        'refused by publisher': 'orange',
        'refused by global': 'red',
      },
      queries: [
        {
          expr: sum(rate('exchange_limit_decisions_total', 'verdict="admitted"')),
          legend: 'admitted',
        },
        {
          expr: sum(rate('exchange_limit_decisions_total', 'verdict="refused"'), 'scope'),
          legend: 'refused by {{scope}}',
        },
      ],
    },
    {
      title: 'Rate-limit store latency',
      description: `One call to Redis, or to the primary in embedded mode. A worker switches to degraded mode if Redis does not respond within ${commandTimeoutMs} ms.`,
      unit: 's',
      width: 8,
      lines: [{ at: commandTimeoutMs / 1000, colour: 'red' }],
      colours: quantileColours,
      queries: quantiles('exchange_limit_store_duration_seconds'),
    },
  ],
};

export const exchange: DashboardSpec = {
  uid: 'gavel-exchange',
  title: 'Exchange',
  description: 'SLOs of live traffic, and the metrics that explain a missed one.',
  variables: [{ name: 'instance', metric: 'exchange_workers' }],
  rows: [slo, traffic, loadBalancer, stages, limits, workers, primary],
};
