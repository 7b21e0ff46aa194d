/** The samples of a worker are bounded in rate and number, and no kind of traffic displaces another. */
import { beforeEach, expect, test } from '@jest/globals';
import type { AuctionSample } from '../../../src/contract/console-api.ts';
import type { SampleKind } from '../../../src/contract/sample-kind.ts';
import { AuctionSamples, sampleLimits } from '../../../src/observe/console/auction-samples.ts';

let now: number;
let samples: AuctionSamples;
beforeEach(() => {
  now = 0;
  samples = new AuctionSamples(() => now);
});

const sampleOf = (requestId: string): AuctionSample => ({
  timeMs: 0,
  requestId,
  bidRequestId: null,
  publisher: null,
  site: null,
  test: false,
  outcome: 'bid',
  status: 200,
  durationMs: 1,
  error: null,
  winners: [],
  partners: [],
  softDeadlineMs: null,
  hardDeadlineMs: null,
});

const admitted = (kind: SampleKind, requests: number): number =>
  Array.from({ length: requests }, () => samples.admits(kind)).filter(Boolean).length;

const kinds = Object.keys(sampleLimits) as SampleKind[];

test.each(kinds)('%s: no more than the limit per second', (kind) => {
  const { perSecond } = sampleLimits[kind];
  admitted(kind, 1_000); // the first window starts with the first request beyond the limit
  for (now = 1_000; now <= 5_000; now += 1_000) expect(admitted(kind, 1_000)).toBe(perSecond);
  now = 5_999;
  expect(admitted(kind, 1_000)).toBe(0);
  now = 6_000;
  expect(admitted(kind, 1_000)).toBe(perSecond);
});

test.each(kinds)('%s: the newest are kept', (kind) => {
  const { kept } = sampleLimits[kind];
  for (let i = 0; i < 2.5 * kept; i++) samples.add(kind, sampleOf(String(i)));
  const ids = samples.all().map(({ requestId }) => Number(requestId));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: kept }, (_, index) => 1.5 * kept + index));
});

test('a flood of errors displaces neither auctions nor test traffic', () => {
  samples.add('other', sampleOf('auction'));
  samples.add('test', sampleOf('test'));
  for (let i = 0; i < 10_000; i++) samples.add('error', sampleOf(`error ${i}`));
  expect(samples.all().map(({ requestId }) => requestId)).toEqual(expect.arrayContaining(['auction', 'test']));
  expect(admitted('error', 100)).toBeGreaterThan(0);
  expect(samples.admits('other')).toBe(true);
});
