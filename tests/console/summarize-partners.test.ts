/** Rates and percentiles of the partners page. */
import { describe, expect, test } from '@jest/globals';
import type { LiveSample, PartnerSample } from '../../src/contract/console-api.ts';
import { addHistograms, bucketCounts, percentile } from '../../src/console/logic/percentile.ts';
import { mergeSamples } from '../../src/console/logic/sample-window.ts';
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
  const [summary] = summarizePartners(secondsOf([busy, quiet, busy, busy]), 3);
  expect(summary).toMatchObject({
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
  const [summary] = summarizePartners(secondsOf([none]), 60);
  expect(summary).toMatchObject({ bidRate: null, winRate: null, p50Ms: null, revenuePerThousand: null });
});

describe('samples', () => {
  const times = (samples: LiveSample[]) => samples.map(({ timeMs }) => timeMs);

  test('that repeat or arrive out of order are merged by time', () => {
    const merged = mergeSamples([liveSample(2), liveSample(3)], [liveSample(1), liveSample(3), liveSample(4)]);
    expect(times(merged)).toEqual([1_000, 2_000, 3_000, 4_000]);
    expect(times(mergeSamples(merged, [liveSample(4)]))).toHaveLength(4);
  });

  test('are kept for 15 minutes', () => {
    const history = Array.from({ length: 900 }, (_, second) => liveSample(second));
    const merged = mergeSamples(history, [liveSample(900)]);
    expect(merged).toHaveLength(900);
    expect(times(merged).at(0)).toBe(1_000);
  });
});
