/** What the live page names as changes. */
import { expect, test } from '@jest/globals';
import type { LiveSample } from '../../src/contract/console-api.ts';
import { listChanges } from '../../src/console/logic/list-changes.ts';

const sample = (timeMs: number, ready = 2, limitMode: LiveSample['limitMode'] = 'redis') =>
  ({ timeMs, workers: { ready, expected: 2 }, limitMode }) as LiveSample;

test('without a change there is none', () => {
  expect(listChanges([sample(1), sample(2)])).toEqual([]);
});

test('a worker that was missing and a limiter that was degraded are named with their time, newest first', () => {
  const changes = listChanges([sample(1), sample(2, 1), sample(3, 2, 'degraded'), sample(4)]);
  expect(changes.map(({ timeMs, text }) => `${timeMs} ${text.split(',')[0]}`)).toEqual([
    '4 rate limiter: redis',
    '3 rate limiter: degraded',
    '3 2 of 2 workers are ready',
    '2 1 of 2 workers are ready',
  ]);
});

test('a single worker is named in the singular', () => {
  const single = (timeMs: number, ready: number) => ({ ...sample(timeMs), workers: { ready, expected: 1 } });
  expect(listChanges([single(1, 1), single(2, 0), single(3, 1)]).map(({ text }) => text)).toEqual([
    '1 of 1 worker is ready',
    '0 of 1 worker is ready',
  ]);
});

test.each([
  ['redis', 'Redis fails or is slow'],
  ['embedded', 'the primary process does not respond in time'],
] as const)('a degraded limiter that was %s has its own cause', (mode, cause) => {
  const [change] = listChanges([sample(1, 2, mode), sample(2, 2, 'degraded')]);
  expect(change!.text).toBe(`rate limiter: degraded, ${cause} and each worker limits by its share`);
});

test('the list is bounded', () => {
  expect(listChanges(Array.from({ length: 900 }, (_, at) => sample(at, at % 2)))).toHaveLength(20);
});
