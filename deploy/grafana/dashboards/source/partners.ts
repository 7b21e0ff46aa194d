/** The dashboard "Partners": availability, latency and bids of each demand partner. */
import type { DashboardSpec, Row } from './dashboard.ts';
import { latencyTargets, of, quantile, rate, sum } from './queries.ts';

const duration = 'exchange_partner_duration_seconds';
const selected = 'partner=~"$partner"';
const called = `${selected}, result!="skipped"`;
const bids = 'exchange_bids_total';

const share = (part: string, whole: string) => `${part} / ${whole}`;

const availability: Row = {
  title: 'Availability',
  panels: [
    {
      title: 'Workers with a circuit breaker that is not closed',
      description:
        '0 is healthy. A worker with an open circuit breaker skips the partner and sends one probe every 2 to 3 seconds.',
      kind: 'states',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [
        { expr: sum(of('exchange_partner_breaker', `${selected}, state!="closed"`), 'partner'), legend: '{{partner}}' },
      ],
    },
    {
      title: 'Circuit breakers by state',
      description: 'One per worker and selected partner.',
      unit: 'short',
      width: 8,
      stacked: true,
      colours: { closed: 'green', half_open: 'yellow', open: 'red' },
      queries: [{ expr: sum(of('exchange_partner_breaker', selected), 'state'), legend: '{{state}}' }],
    },
    {
      title: 'Success rate of calls',
      description: 'Share of calls with a bid or a no-bid. The rest are errors, timeouts, late or invalid responses.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: share(
            sum(rate(`${duration}_count`, `${selected}, result=~"bid|no_bid"`), 'partner'),
            sum(rate(`${duration}_count`, called), 'partner'),
          ),
          legend: '{{partner}}',
        },
      ],
    },
    {
      title: 'Results per second',
      description:
        'late: the auction ended first. timeout: timeoutMs or the deadline of the auction passed. skipped: not called, because of an open circuit breaker, maxQps or too little time.',
      unit: 'ops',
      width: 24,
      queries: [
        { expr: sum(rate(`${duration}_count`, selected), 'partner, result'), legend: '{{partner}} {{result}}' },
      ],
    },
  ],
};

const latency: Row = {
  title: 'Latency',
  panels: [
    ...latencyTargets.map(({ name, quantile: q }) => ({
      title: `${name} by partner`,
      description: 'Time that auctions waited, timeouts included. Dashed line: the default soft timeout of 150 ms.',
      unit: 's' as const,
      width: 8,
      lines: [{ at: 0.15, colour: 'orange' as const }],
      queries: [{ expr: quantile(q, duration, called, 'partner'), legend: '{{partner}}' }],
    })),
    {
      title: 'Learned deadline by partner',
      description:
        'How long an auction that has a valid bid waits for a partner; the highest of all workers. 0: the partner seldom responds within the soft timeout and is not waited for.',
      unit: 's',
      width: 24,
      lines: [{ at: 0.15, colour: 'orange' }],
      queries: [
        { expr: `max by (partner) (${of('exchange_partner_deadline_seconds', selected)})`, legend: '{{partner}}' },
      ],
    },
  ],
};

const bidding: Row = {
  title: 'Bids',
  panels: [
    {
      title: 'Win rate',
      description: 'Winning bids as a share of all bids received, invalid ones included.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: share(sum(rate(bids, `${selected}, verdict="won"`), 'partner'), sum(rate(bids, selected), 'partner')),
          legend: '{{partner}}',
        },
      ],
    },
    {
      title: 'Bid rate',
      description: 'Share of calls with at least one bid.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: share(
            sum(rate(`${duration}_count`, `${selected}, result="bid"`), 'partner'),
            sum(rate(`${duration}_count`, called), 'partner'),
          ),
          legend: '{{partner}}',
        },
      ],
    },
    {
      title: 'Bids by verdict',
      description: 'Every bid received counts once: won, lost, or the reason why it was dropped.',
      unit: 'ops',
      width: 8,
      stacked: true,
      queries: [{ expr: sum(rate(bids, selected), 'verdict'), legend: '{{verdict}}' }],
    },
    {
      title: 'Dropped bids by reason',
      description: 'Report these to the partner. The response to a request with "test": 1 lists each dropped bid.',
      unit: 'ops',
      width: 24,
      queries: [
        {
          expr: sum(rate(bids, `${selected}, verdict!~"won|lost"`), 'partner, verdict'),
          legend: '{{partner}} {{verdict}}',
        },
      ],
    },
  ],
};

export const partners: DashboardSpec = {
  uid: 'gavel-partners',
  title: 'Partners',
  description: 'Availability, latency and bids of each demand partner.',
  variables: [
    { name: 'instance', metric: 'exchange_workers' },
    { name: 'partner', metric: 'exchange_partner_duration_seconds_count' },
  ],
  rows: [availability, latency, bidding],
};
