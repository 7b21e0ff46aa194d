/** Canned seconds of a console stream. */
import type { LiveSample, PartnerSample } from '../../../src/contract/console-api.ts';

export const partnerSample = (name: string, overrides: Partial<PartnerSample> = {}): PartnerSample => ({
  name,
  calls: 100,
  outcomes: { bid: 60, no_bid: 35, timeout: 2, late: 2, error: 1, skipped: 3 },
  bids: 60,
  wins: 20,
  revenueMicros: 60_000,
  dropped: { below_floor: 4, blocked_advertiser: 1 },
  latency: { le: [5, 10, 25, 50, 100, 250, null], counts: [5, 30, 70, 90, 96, 99, 100] },
  breaker: 'closed',
  deadlineMs: 149.4,
  ...overrides,
});

export const liveSample = (second: number, overrides: Partial<LiveSample> = {}): LiveSample => ({
  timeMs: second * 1_000,
  outcomes: { bid: 700 + (second % 60), no_bid: 200, refused: 5 },
  latencyMs: { p50: 21 + (second % 7), p95: 80 + (second % 30), p99: 140 + (second % 90) },
  rateLimited: { ip: 2, publisher: 1, global: 0 },
  shed: {},
  queueDelayMs: 0.4,
  workers: { ready: 2, expected: 2 },
  eventLoopLagMs: 1.2 + (second % 5) / 10,
  limitMode: 'redis',
  partners: [
    partnerSample('alpha'),
    partnerSample('beta', { calls: 90, breaker: 'half_open' }),
    partnerSample('house', { deadlineMs: null, dropped: {} }),
  ],
  ...overrides,
});
