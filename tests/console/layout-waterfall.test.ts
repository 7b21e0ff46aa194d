/** Bars and deadlines share one time scale. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { layoutWaterfall } from '../../src/console/logic/layout-waterfall.ts';
import { numRuns } from '../support/num-runs.ts';

const partner = (startMs: number, durationMs: number, deadlineMs?: number) => ({
  name: 'alpha',
  outcome: 'bid',
  startMs,
  durationMs,
  ...(deadlineMs === undefined ? {} : { deadlineMs }),
  bids: 0,
  rejected: [],
  lost: [],
});

test('bars and deadlines are placed in proportion', () => {
  const { bars, marks, endMs } = layoutWaterfall([partner(100, 100, 150)], 125, 500);
  expect(endMs).toBe(510);
  expect(bars[0]!.width).toBeCloseTo(bars[0]!.left);
  expect(bars[0]!.deadlineLeft).toBeCloseTo(bars[0]!.left * 2.5);
  expect(marks.map(({ label, ms }) => [label, ms])).toEqual([
    ['soft deadline', 125],
    ['hard deadline', 500],
  ]);
  expect(marks[1]!.left).toBeCloseTo(marks[0]!.left * 4);
});

test('an auction without deadlines has none', () => {
  const { bars, marks } = layoutWaterfall([partner(0, 5)], null, null);
  expect(marks).toEqual([]);
  expect(bars[0]!.deadlineLeft).toBeUndefined();
});

test('a partner that was skipped or excluded was not called', () => {
  const outcomes = ['bid', 'no_bid', 'timeout', 'skipped', 'excluded'];
  const { bars } = layoutWaterfall(
    outcomes.map((outcome) => ({ ...partner(0, 0.2), outcome })),
    null,
    null,
  );
  expect(bars.map(({ wasCalled }) => wasCalled)).toEqual([true, true, true, false, false]);
});

test('no bar leaves the scale, and each can be seen', () => {
  const ms = fc.double({ min: 0, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(ms, ms)), fc.option(ms), (calls, hardMs) => {
      const { bars } = layoutWaterfall(
        calls.map(([start, duration]) => partner(start, duration)),
        null,
        hardMs,
      );
      for (const { left, width } of bars) {
        expect(left + width).toBeLessThanOrEqual(100.001);
        expect(width).toBeGreaterThanOrEqual(0.5);
      }
    }),
    { numRuns: numRuns(200) },
  );
});
