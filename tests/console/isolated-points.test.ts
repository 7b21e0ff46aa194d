/** A value between gaps is drawn as a point; a line connects the others. */
import { expect, test } from '@jest/globals';
import { isolatedPoints } from '../../src/console/logic/isolated-points.ts';

test.each([
  [[], []],
  [[5], [0]],
  [[null, 5, null], [1]],
  [
    [0, null, 1, 2, null, 3],
    [0, 5],
  ],
  [[1, 2, 3], []],
  [[null, null], []],
])('%j: %j', (values, expected) => expect(isolatedPoints(values)).toEqual(expected));
