/** Signs that several faults share. */
import { workers } from './exchange.ts';
import type { Allowance } from './fault.ts';
import type { IsNormal, LogSign, MetricSign } from './judge.ts';
import { timeoutMs } from './steady-client.ts';

export const hasGrown = (value: number, before: number): boolean => value > before;
const isOne = (value: number): boolean => value === 1;

export const allWorkersReady: IsNormal = (values) =>
  values.get('/readyz') === 200 && values.get('exchange_workers') === workers;

export const usesRedis: IsNormal = (values) => values.get('exchange_limit_mode{mode="redis"}') === 1;

export const degradedMetric: MetricSign = { series: 'exchange_limit_mode{mode="degraded"}', shows: isOne };
export const degradedLine: LogSign = { msg: 'rate limit mode changed', part: '"mode":"degraded"' };

/** Of Redis: from when it can be used. */
export const maxDegradedMs = 2_000;

export const breakerOpens = (partner: string): MetricSign => ({
  series: `exchange_partner_breaker{partner="${partner}",state="open"}`,
  shows: hasGrown,
});
export const breakerLine = (partner: string): LogSign => ({
  msg: 'circuit breaker changed',
  part: `"partner":"${partner}","state":"open"`,
});
export const breakerClosed =
  (partner: string): IsNormal =>
  (values) =>
    values.get(`exchange_partner_breaker{partner="${partner}",state="closed"}`) === workers;

/** The kept connections, and as many fresh ones as are open at a time on a busy machine. */
const maxConnections = 24;

/** Requests on connections of a worker that is gone: one per connection, due until the client has noticed. */
export const onItsConnections = (why: string, noticedAfterMs: number): Allowance => ({
  why,
  max: maxConnections,
  covers: ({ dueAtMs }, { beganAtMs }) => dueAtMs > beganAtMs - timeoutMs && dueAtMs < beganAtMs + noticedAfterMs,
});
