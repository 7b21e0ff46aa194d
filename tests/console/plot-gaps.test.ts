/** Lines of a plot end where samples are missing. */
import { expect, test } from '@jest/globals';
import { withGaps } from '../../src/console/logic/plot-gaps.ts';

test('a row without values is between samples that are more than 3 s apart', () => {
  expect(
    withGaps(
      [1_000, 2_000, 60_000, 61_000],
      [
        [1, 2, 3, 4],
        [5, null, 7, 8],
      ],
    ),
  ).toEqual({
    times: [1_000, 2_000, 3_000, 60_000, 61_000],
    series: [
      [1, 2, null, 3, 4],
      [5, null, null, 7, 8],
    ],
  });
});

test.each([[[]], [[1_000]], [[1_000, 2_100, 5_000]]])('samples at %j have no gap', (times: number[]) =>
  expect(withGaps(times, [times])).toEqual({ times, series: [times] }),
);
