/** The time axis of a plot has enough labels, and not too many. */
import { describe, expect, test } from '@jest/globals';
import { timeTicks } from '../../src/console/logic/time-ticks.ts';

const start = 1_767_614_403;

describe.each([500, 700, 1_400])('at %i pixels', (widthPx) => {
  test.each([60, 120, 300, 480, 660, 900])('%i s have 4 to 8 labels', (seconds) => {
    const ticks = timeTicks(start, start + seconds, widthPx);
    expect(ticks.length).toBeGreaterThanOrEqual(4);
    expect(ticks.length).toBeLessThanOrEqual(8);
  });
});

test('labels are at whole steps within the period', () => {
  expect(timeTicks(1_001, 1_301, 500)).toEqual([1_020, 1_080, 1_140, 1_200, 1_260]);
});

test('a narrow plot has as many as fit', () => {
  expect(timeTicks(start, start + 900, 200).length).toBeLessThanOrEqual(3);
  expect(timeTicks(start, start + 900, 0).length).toBeLessThanOrEqual(2);
});

test('any period has few labels', () => {
  expect(timeTicks(start, start + 86_400, 500).length).toBeLessThanOrEqual(8);
  expect(timeTicks(start, start, 500).length).toBeLessThanOrEqual(1);
});
