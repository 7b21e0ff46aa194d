/** The dashboard "Exchange": whether the targets hold, and where to look when they do not. */
import { commandTimeoutMs } from '../../../../src/limits/redis-connection.ts';
import type { DashboardSpec, Row } from './dashboard.ts';
import { primary, processes } from './processes.ts';
import {
  answers,
  latencyTargets,
  of,
  quantile,
  quantileColours,
  quantiles,
  rate,
  requestsASecondTarget,
  sum,
  targetLines,
} from './queries.ts';

const requests = 'exchange_request_duration_seconds';
const judged = 'mode="live", outcome=~"bid|no_bid|error"';

const modes = [
  { mode: 'redis', colour: 'green' },
  { mode: 'embedded', colour: 'blue' },
  { mode: 'degraded', colour: 'red' },
];

const verdict: Row = {
  title: 'Do the targets hold? (live traffic, last 5 minutes)',
  height: 4,
  panels: [
    ...latencyTargets.map(({ name, quantile: q, targetSeconds }) => ({
      title: `${name}, target below ${targetSeconds * 1000} ms`,
      description: `Red from ${targetSeconds * 1000} ms on. Answers with a bid and without one; test traffic is left out.`,
      kind: 'stat' as const,
      unit: 's' as const,
      width: 4,
      lines: [{ at: targetSeconds, colour: 'red' }],
      queries: [{ expr: quantile(q, requests, answers, '', '5m'), legend: name }],
    })),
    {
      title: 'Live requests a second',
      description: `All live requests, whatever became of them. What it must be able to carry is ${requestsASecondTarget} a second.`,
      kind: 'stat',
      unit: 'reqps',
      width: 4,
      queries: [{ expr: sum(rate(`${requests}_count`, 'mode="live"', '5m')), legend: 'live' }],
    },
    {
      title: 'Errors of ours, target below 0.1 %',
      description: 'Share of live requests answered 500 or 503. Refusals and invalid requests are no errors of ours.',
      kind: 'stat',
      unit: 'percentunit',
      width: 4,
      lines: [{ at: 0.001, colour: 'red' }],
      queries: [
        {
          expr: `(${sum(rate(`${requests}_count`, 'mode="live", outcome="error"', '5m'))} or vector(0)) / ${sum(rate(`${requests}_count`, judged, '5m'))}`,
          legend: 'errors',
        },
      ],
    },
    {
      title: 'Workers that serve',
      description: 'WORKERS for each machine. Fewer for longer than a moment: see the deaths below.',
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
      title: 'Latency of live answers, with the targets 50, 100 and 200 ms',
      description: 'Each quantile stays below the dashed line of its colour.',
      unit: 's',
      width: 12,
      lines: targetLines,
      colours: quantileColours,
      queries: quantiles(requests, answers),
    },
    {
      title: 'Requests a second, with the target of 10,000',
      description: 'The dashed line is what it must be able to carry, not what it must have.',
      unit: 'reqps',
      width: 12,
      lines: [{ at: requestsASecondTarget, colour: 'blue' }],
      queries: [{ expr: sum(rate(`${requests}_count`), 'mode'), legend: '{{mode}}' }],
    },
    {
      title: 'What became of live requests',
      description: 'refused is a limit (429), invalid the caller (4xx), error ours (500, 503).',
      unit: 'reqps',
      width: 8,
      stacked: true,
      colours: { bid: 'green', no_bid: 'blue', invalid: 'yellow', refused: 'orange', error: 'red' },
      queries: [{ expr: sum(rate(`${requests}_count`, 'mode="live"'), 'outcome'), legend: '{{outcome}}' }],
    },
    {
      title: 'Error answers by code',
      description: 'INTERNAL_ERROR is a defect, SERVICE_UNAVAILABLE load that was shed; all others are the callers’.',
      unit: 'reqps',
      width: 8,
      queries: [{ expr: sum(rate('exchange_errors_total'), 'code'), legend: '{{code}}' }],
    },
    {
      title: 'Budgets burning (last hour; 1 spends a budget exactly)',
      description:
        'Share of live answers over each target, and of errors, against what is allowed: 50 %, 5 %, 1 % and 0.1 %. From the recording rules, so over all machines.',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'orange' }],
      queries: [
        { expr: 'exchange:slow_answers:ratio_rate1h{le="0.05"} / 0.5', legend: 'p50: over 50 ms' },
        { expr: 'exchange:slow_answers:ratio_rate1h{le="0.1"} / 0.05', legend: 'p95: over 100 ms' },
        { expr: 'exchange:slow_answers:ratio_rate1h{le="0.2"} / 0.01', legend: 'p99: over 200 ms' },
        { expr: 'exchange:errors:ratio_rate1h / 0.001', legend: 'errors' },
      ],
    },
  ],
};

const stages: Row = {
  title: 'Where the time goes',
  panels: [
    {
      title: 'p99 of each stage',
      description: 'auction is the partners’ doing; the others are ours and stay at a few milliseconds.',
      unit: 's',
      width: 12,
      queries: [{ expr: quantile(0.99, 'exchange_stage_duration_seconds', '', 'stage'), legend: '{{stage}}' }],
    },
    {
      title: 'Mean of each stage',
      description: 'Stacked: together about the mean time of a request that takes the whole way.',
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
  title: 'Limits',
  panels: [
    {
      title: 'Mode in force, by machine',
      description: 'degraded: the buckets are out of reach and each worker keeps to its share of every limit.',
      kind: 'states',
      unit: 'short',
      width: 8,
      names: Object.fromEntries(modes.map(({ mode, colour }, at) => [at + 1, { text: mode, color: colour }])),
      queries: [
        {
          expr: `max by (instance) (${modes.map(({ mode }, at) => `${of('exchange_limit_mode', `mode="${mode}"`)} * ${at + 1}`).join(' or ')})`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Decisions a second',
      description: 'Refusals by the scope that refused. Refusals by global mean that everybody is refused.',
      unit: 'ops',
      width: 8,
      colours: { global: 'red', publisher: 'orange', ip: 'yellow', 'none (admitted)': 'green' },
      queries: [
        {
          expr: sum(rate('exchange_limit_decisions_total', 'verdict="admitted"')),
          legend: 'none (admitted)',
        },
        {
          expr: sum(rate('exchange_limit_decisions_total', 'verdict="refused"'), 'scope'),
          legend: '{{scope}}',
        },
      ],
    },
    {
      title: 'Time for a call to the buckets',
      description: `Redis, or the primary in embedded mode. At ${commandTimeoutMs} ms a worker gives up on Redis and is degraded.`,
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
  description: 'Whether the targets hold for live traffic, and where to look when they do not.',
  variables: [{ name: 'instance', metric: 'exchange_workers' }],
  rows: [verdict, traffic, stages, limits, processes, primary],
};
