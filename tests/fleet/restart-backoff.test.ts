/** The restart delay of workers that crash. */
import { expect, test } from '@jest/globals';
import { RestartBackoff } from '../../src/fleet/restart-backoff.ts';

test('doubles the delay after each startup crash, and reports a crash loop after the tenth', () => {
  const backoff = new RestartBackoff();
  const delays = Array.from({ length: 11 }, () => backoff.delayAfterExit(50, 0, true));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, undefined]);
});

test('replaces a worker immediately if its uptime was at least 5 s', () => {
  expect(new RestartBackoff().delayAfterExit(5_000, 0, true)).toBe(0);
});

test('forgets crashes after one minute', () => {
  const backoff = new RestartBackoff();
  for (let i = 0; i < 10; i++) backoff.delayAfterExit(50, 0, true);
  expect(backoff.delayAfterExit(50, 60_000, true)).toBe(100);
});

test('counts every exit, at any uptime, until all workers are ready for the first time', () => {
  const backoff = new RestartBackoff();
  const delays = Array.from({ length: 11 }, (_, exit) => backoff.delayAfterExit(20_000, exit * 25_000, false));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, undefined]);
});
