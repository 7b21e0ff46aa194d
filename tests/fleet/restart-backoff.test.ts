/** The restart delay of workers that crash. */
import { expect, test } from '@jest/globals';
import { RestartBackoff } from '../../src/fleet/restart-backoff.ts';

test('doubles the delay after each startup crash, and reports a crash loop after the tenth', () => {
  const backoff = new RestartBackoff();
  const delays = Array.from({ length: 11 }, () => backoff.delayAfterExit(50, 0));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, undefined]);
});

test('replaces a worker immediately if its uptime was at least 5 s', () => {
  expect(new RestartBackoff().delayAfterExit(5_000, 0)).toBe(0);
});

test('forgets crashes after one minute', () => {
  const backoff = new RestartBackoff();
  for (let i = 0; i < 10; i++) backoff.delayAfterExit(50, 0);
  expect(backoff.delayAfterExit(50, 60_000)).toBe(100);
});
