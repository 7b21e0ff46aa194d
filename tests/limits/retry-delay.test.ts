/** Attempts to connect to Redis: quick while a failover may be going on, then few, and never all at once. */
import { expect, test } from '@jest/globals';
import { retryDelayMs } from '../../src/limits/retry-delay.ts';

const delaysOf = (attempt: number): number[] => Array.from({ length: 1_000 }, () => retryDelayMs(attempt));

test.each([
  [1, 50, 100],
  [2, 100, 200],
  [30, 100, 200],
  [31, 250, 500],
  [1_000, 250, 500],
])('attempt %i follows after %i to %i ms, distributed evenly', (attempt, minMs, maxMs) => {
  const delays = delaysOf(attempt).toSorted((a, b) => a - b);
  const tenthMs = (maxMs - minMs) / 10;
  expect(delays[0]).toBeGreaterThanOrEqual(minMs);
  expect(delays[0]).toBeLessThan(minMs + tenthMs);
  expect(delays.at(-1)).toBeLessThan(maxMs);
  expect(delays.at(-1)).toBeGreaterThan(maxMs - tenthMs);
});
