/** Rates and percentiles of the partners page. */
import { describe, expect, test } from '@jest/globals';
import type { LiveSample, PartnerSample } from '../../src/contract/console-api.ts';
import { addHistograms, bucketCounts, percentile } from '../../src/console/logic/percentile.ts';
import { summarizePartners } from '../../src/console/logic/summarize-partners.ts';
import { liveSample, partnerSample } from '../browser/support/samples.ts';

describe('a percentile', () => {
  const latency = { le: [10, 20, 40, null], counts: [10, 50, 100, 100] };

  test.each([
    [0.1, 10],
    [0.5, 20],
    [0.3, 15],
    [0.75, 30],
    [1, 40],
  ])('%d of the calls is interpolated to %d ms', (quantile, ms) => expect(percentile(latency, quantile)).toBe(ms));

  test('beyond the last bound is the last bound', () => {
    expect(percentile({ le: [10, null], counts: [1, 10] }, 0.9)).toBe(10);
  });

  test('without values is null', () => {
    expect(percentile({ le: [10, null], counts: [0, 0] }, 0.5)).toBeNull();
    expect(percentile({ le: [], counts: [] }, 0.5)).toBeNull();
  });
});

test('bucket counts are differences of cumulative counts', () => {
  expect(bucketCounts({ le: [1, 2, null], counts: [3, 5, 9] })).toEqual([3, 2, 4]);
});

test('histograms with equal bounds are added, others are replaced', () => {
  const one = { le: [1, null], counts: [1, 2] };
  expect(addHistograms(one, one)).toEqual({ le: [1, null], counts: [2, 4] });
  expect(addHistograms(one, { le: [null], counts: [7] })).toEqual({ le: [null], counts: [7] });
});

const secondsOf = (partners: Partial<PartnerSample>[]): LiveSample[] =>
  partners.map((partner, index) => liveSample(index, { partners: [partnerSample('alpha', partner)] }));

test('rates are those of the period', () => {
  const quiet = { calls: 0, outcomes: {}, bids: 0, wins: 0, revenueMicros: 0, dropped: {} };
  const busy = {
    calls: 10,
    outcomes: { bid: 4, no_bid: 5, timeout: 1 },
    bids: 8,
    wins: 2,
    revenueMicros: 50_000,
    dropped: { below_floor: 3 },
    breaker: 'half_open' as const,
    deadlineMs: 120,
  };
  const { partners, sinceMs } = summarizePartners(secondsOf([busy, quiet, busy, busy]), 3);
  expect(sinceMs).toBeUndefined();
  expect(partners[0]).toMatchObject({
    name: 'alpha',
    callsPerSecond: 20 / 3,
    bidRate: 0.4,
    winRate: 0.25,
    outcomes: { bid: 8, no_bid: 10, timeout: 2 },
    dropped: { below_floor: 6 },
    breaker: 'half_open',
    deadlineMs: 120,
    revenuePerThousand: 5,
  });
});

test('a partner without calls has no rates', () => {
  const none = { calls: 0, outcomes: {}, bids: 0, wins: 0, revenueMicros: 0, latency: { le: [null], counts: [0] } };
  const { partners } = summarizePartners(secondsOf([none]), 60);
  expect(partners[0]).toMatchObject({ bidRate: null, winRate: null, p50Ms: null, revenuePerThousand: null });
});

test('rates are per second of the samples that have partners', () => {
  const stripped = [0, 1, 2].map((second) => liveSample(second, { partners: [] }));
  const silent = liveSample(5, { partners: [] });
  const kept = [3, 4, 6].map((second) => liveSample(second, { partners: [partnerSample('alpha', { calls: 40 })] }));
  const { partners, sinceMs } = summarizePartners([...stripped, kept[0]!, kept[1]!, silent, kept[2]!], 60);
  expect(partners[0]!.callsPerSecond).toBe(30); // a second in which no worker reported counts
  expect(sinceMs).toBe(3_000);
});

test('a partner that a reload has removed has no current values', () => {
  const both = liveSample(1, { partners: [partnerSample('alpha'), partnerSample('beta')] });
  const { partners } = summarizePartners([both, liveSample(2, { partners: [partnerSample('alpha')] })], 60);
  expect(partners.map(({ name, breaker, deadlineMs }) => [name, breaker, deadlineMs])).toEqual([
    ['alpha', 'closed', 149.4],
    ['beta', null, null],
  ]);
});

test('a second in which no worker reported removes no partner', () => {
  const { partners } = summarizePartners([liveSample(1), liveSample(2, { partners: [] })], 60);
  expect(partners.map(({ breaker }) => breaker)).toEqual(['closed', 'half_open', 'closed']);
});

test('without samples there are no partners', () => {
  expect(summarizePartners([], 60)).toEqual({ partners: [], sinceMs: undefined });
});
