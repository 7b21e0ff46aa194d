/** The dashboard "Partners": how fast, how reliable and how successful each demand partner is. */
import type { DashboardSpec, Row } from './dashboard.ts';
import { latencyTargets, quantile, rate, sum, of } from './queries.ts';

const duration = 'exchange_partner_duration_seconds';
const chosen = 'partner=~"$partner"';
const asked = `${chosen}, result!="skipped"`;
const bids = 'exchange_bids_total';

const share = (part: string, whole: string) => `${part} / ${whole}`;

const reliability: Row = {
  title: 'Are they there?',
  panels: [
    {
      title: 'Workers that spare the partner (breaker open or probing)',
      description: '0 is healthy. All workers: the partner is not asked, but for one probe every 2 to 3 seconds each.',
      kind: 'states',
      unit: 'short',
      width: 8,
      lines: [{ at: 1, colour: 'red' }],
      queries: [
        { expr: sum(of('exchange_partner_breaker', `${chosen}, state!="closed"`), 'partner'), legend: '{{partner}}' },
      ],
    },
    {
      title: 'Breakers by state',
      description: 'Workers in each state, over all chosen partners.',
      unit: 'short',
      width: 8,
      stacked: true,
      colours: { closed: 'green', half_open: 'yellow', open: 'red' },
      queries: [{ expr: sum(of('exchange_partner_breaker', chosen), 'state'), legend: '{{state}}' }],
    },
    {
      title: 'Good answers, of those asked',
      description: 'A bid or an orderly no. The rest were errors, timeouts, late, or answers that cannot be used.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: share(
            sum(rate(`${duration}_count`, `${chosen}, result=~"bid|no_bid"`), 'partner'),
            sum(rate(`${duration}_count`, asked), 'partner'),
          ),
          legend: '{{partner}}',
        },
      ],
    },
    {
      title: 'Results',
      description: 'late: the auction ended first. timeout: its own limit or the deadline. skipped: spared, not asked.',
      unit: 'ops',
      width: 24,
      queries: [{ expr: sum(rate(`${duration}_count`, chosen), 'partner, result'), legend: '{{partner}} {{result}}' }],
    },
  ],
};

const latency: Row = {
  title: 'How long are they waited for?',
  panels: latencyTargets.map(({ name, quantile: q }) => ({
    title: `${name} by partner`,
    description: 'Of all that were asked, timeouts included. The soft budget of an auction (150 ms) is dashed.',
    unit: 's' as const,
    width: 8,
    lines: [{ at: 0.15, colour: 'orange' }],
    queries: [{ expr: quantile(q, duration, asked, 'partner'), legend: '{{partner}}' }],
  })),
};

const success: Row = {
  title: 'What are their bids worth?',
  panels: [
    {
      title: 'Win rate, of bids received',
      description: 'Bids that won an impression, of all bids, good and bad.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: share(sum(rate(bids, `${chosen}, verdict="won"`), 'partner'), sum(rate(bids, chosen), 'partner')),
          legend: '{{partner}}',
        },
      ],
    },
    {
      title: 'Bid rate, of those asked',
      description: 'How often it bids at all when it is asked.',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expr: share(
            sum(rate(`${duration}_count`, `${chosen}, result="bid"`), 'partner'),
            sum(rate(`${duration}_count`, asked), 'partner'),
          ),
          legend: '{{partner}}',
        },
      ],
    },
    {
      title: 'Bids by verdict',
      description: 'Every bid received is counted once: won, lost, or why it was dropped.',
      unit: 'ops',
      width: 8,
      stacked: true,
      queries: [{ expr: sum(rate(bids, chosen), 'verdict'), legend: '{{verdict}}' }],
    },
    {
      title: 'Dropped bids by reason',
      description: 'A matter to take up with the partner; a request with "test": 1 shows each drop.',
      unit: 'ops',
      width: 24,
      queries: [
        {
          expr: sum(rate(bids, `${chosen}, verdict!~"won|lost"`), 'partner, verdict'),
          legend: '{{partner}} {{verdict}}',
        },
      ],
    },
  ],
};

export const partners: DashboardSpec = {
  uid: 'gavel-partners',
  title: 'Partners',
  description: 'How fast, how reliable and how successful each demand partner is.',
  variables: [
    { name: 'instance', metric: 'exchange_workers' },
    { name: 'partner', metric: 'exchange_partner_duration_seconds_count' },
  ],
  rows: [reliability, latency, success],
};
