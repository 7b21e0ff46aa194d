/** The cap on log lines: so many per kind and interval, the rest counted. */
import { expect, test } from '@jest/globals';
import { LogCap } from '../../src/observe/log-cap.ts';

function create(maxLines: number) {
  const clock = { nowMs: 0 };
  return { clock, cap: new LogCap({ maxLines, perMs: 1_000, nowMs: () => clock.nowMs }) };
}

const admitTimes = (cap: LogCap, times: number, kind = 'a') => Array.from({ length: times }, () => cap.admit(kind));

test('admits up to the maximum per interval, then suppresses', () => {
  const { cap } = create(3);
  expect(admitTimes(cap, 5)).toEqual([0, 0, 0, undefined, undefined]);
});

test('reports the number of suppressed lines with the first line of the next interval, once', () => {
  const { clock, cap } = create(1);
  admitTimes(cap, 5);
  clock.nowMs = 999;
  expect(cap.admit('a')).toBeUndefined();
  clock.nowMs = 1_000;
  expect(cap.admit('a')).toBe(5);
  clock.nowMs = 2_000;
  expect(cap.admit('a')).toBe(0);
});

test('counts each kind for itself', () => {
  const { cap } = create(1);
  expect([cap.admit('a'), cap.admit('b'), cap.admit('a')]).toEqual([0, 0, undefined]);
});

test('keeps the cap of a kind that keeps coming, whatever number of other kinds there is', () => {
  const { cap } = create(1);
  cap.admit('a');
  for (let i = 0; i < 5_000; i++) {
    cap.admit(`kind-${i}`);
    expect(cap.admit('a')).toBeUndefined();
  }
});

test('keeps 1,000 kinds; beyond that, the least recently used is forgotten', () => {
  const { cap } = create(1);
  const admitKinds = (count: number) => {
    for (let i = 0; i < count; i++) cap.admit(`kind-${i}`);
  };
  cap.admit('a');
  admitKinds(999);
  expect(cap.admit('a')).toBeUndefined();
  admitKinds(1_000);
  expect(cap.admit('a')).toBe(0);
});
