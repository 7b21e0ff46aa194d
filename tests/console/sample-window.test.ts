/** Which samples the pages keep. */
import { expect, test } from '@jest/globals';
import type { LiveSample } from '../../src/contract/console-api.ts';
import { mergeSamples } from '../../src/console/logic/sample-window.ts';
import { liveSample } from '../browser/support/samples.ts';

const seconds = (samples: LiveSample[]) => samples.map(({ timeMs }) => timeMs / 1_000);
const merge = (before: number[], more: number[]) =>
  seconds(
    mergeSamples(
      before.map((second) => liveSample(second)),
      more.map((second) => liveSample(second)),
    ),
  );

test('samples that repeat are merged by time', () => {
  expect(merge([1, 2, 3], [2, 3, 4])).toEqual([1, 2, 3, 4]);
  expect(merge([1, 2], [2])).toEqual([1, 2]);
  expect(merge([], [1, 2])).toEqual([1, 2]);
});

test('samples are kept for 15 minutes', () => {
  const history = Array.from({ length: 900 }, (_, second) => second);
  const merged = merge(history, [900]);
  expect(merged).toHaveLength(900);
  expect(merged[0]).toBe(1);
});

test('samples before a gap are kept for 15 minutes as well, not for 900 samples', () => {
  expect(merge([1, 100, 101, 102], [1_000, 1_001])).toEqual([102, 1_000, 1_001]);
});

test('after the clock was set back, the samples with later times are dropped and new ones stay newest', () => {
  expect(merge([10, 100, 101, 102], [50])).toEqual([10, 50]);
  expect(merge([10, 50], [51])).toEqual([10, 50, 51]);
  expect(merge([100, 101, 102], [100, 101, 102, 50, 51])).toEqual([50, 51]);
});
