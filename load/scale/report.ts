/** The tables of `make scale`. */
import { percent } from '../bench/statistics.ts';
import type { Cost, Measured } from './configuration.ts';
import type { Offered } from './offer.ts';
import { isExact } from './scopes.ts';

export const costHead = [
  'Redis',
  'exchanges',
  'offered per second',
  'admitted per second',
  'failed',
  'exchange CPU µs',
  'Redis CPU µs',
  'busiest Redis CPU µs',
  'calls',
  'HAProxy CPU µs',
  'network bytes',
  'Redis bytes',
  'other load',
];

export const costRow = ({ topology, instances, cost, isDegraded }: Measured): string[] => [
  topology,
  `${instances}${isDegraded ? ' (degraded)' : ''}`,
  (cost.offered.sent / cost.offered.seconds).toFixed(0),
  (cost.offered.admitted / cost.offered.seconds).toFixed(0),
  failuresOf(cost.offered),
  cost.exchangeMicros.toFixed(0),
  cost.redisMicros.toFixed(1),
  cost.busiestRedisMicros.toFixed(1),
  cost.redisCalls.toFixed(2),
  cost.loadBalancerMicros.toFixed(0),
  cost.exchangeBytes.toFixed(0),
  cost.redisBytes.toFixed(0),
  percent(cost.otherLoad),
];

export const scopeHead = [
  'Redis',
  'exchanges',
  'scope',
  'buckets',
  'offered per second',
  'admitted',
  'expected',
  'allowed',
  'over',
  'missing',
  'failed',
  '',
];

export const scopeRows = ({ topology, instances, scopes }: Measured): string[][] =>
  scopes.map((one) => [
    topology,
    String(instances),
    one.scope,
    String(one.buckets),
    (one.offered.sent / one.offered.seconds).toFixed(0),
    String(one.offered.admitted),
    String(one.expected),
    String(one.allowed),
    String(one.over),
    `${one.missing} (≤ ${one.maxMissing})`,
    failuresOf(one.offered),
    isExact(one) ? 'exact' : '**not exact**',
  ]);

/** How many, and why: statuses, closed connections and timeouts. */
const failuresOf = ({ failed, failures }: Offered): string =>
  failed === 0 ? '0' : `${failed} (${[...failures].map(([cause, count]) => `${cause}: ${count}`).join(', ')})`;

/** A sentence per topology: the cost with the most instances in relation to that with one. */
export function growth(measured: readonly Measured[]): string[] {
  const names = [...new Set(measured.map(({ topology }) => topology))];
  return names.flatMap((name) => {
    const [first, last] = [measured.find(of(name)), measured.findLast(of(name))];
    if (!first || !last) return [];
    const ratioOf = (part: keyof Omit<Cost, 'offered'>) => (last.cost[part] / first.cost[part]).toFixed(2);
    return [
      `- ${name}, from ${first.instances} to ${last.instances} exchanges: exchange CPU per request × ${ratioOf('exchangeMicros')}, Redis CPU per request × ${ratioOf('redisMicros')}, calls per request × ${ratioOf('redisCalls')}.`,
    ];
  });
}

const of =
  (name: string) =>
  ({ topology }: Measured): boolean =>
    topology === name;
