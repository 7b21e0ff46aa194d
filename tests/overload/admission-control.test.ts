/** CoDel's rule: a worker is overloaded if even the shortest delay of an interval is too long, and it has no idle time. */
import { describe, expect, test } from '@jest/globals';
import { AdmissionControl } from '../../src/overload/admission-control.ts';

/** One interval of 100 ms with these delays; `inProgress` requests overlap. */
interface Interval {
  delaysMs: number[];
  left?: number;
  connected?: number;
  idleMs?: number;
  waiting?: number;
}

/** Two late intervals in a row are more than a burst. */
function run(intervals: Interval[]): AdmissionControl {
  const control = new AdmissionControl({ maxDelayMs: 80, targetDelayMs: 30, intervalMs: 100, burstMs: 200 });
  let idle = 0;
  intervals.forEach(({ delaysMs, left = 0, connected = 0, idleMs = 0, waiting = 0 }, index) => {
    for (let count = 0; count < delaysMs.length; count++) control.start();
    for (const delayMs of delaysMs) control.end(delayMs);
    for (let count = 0; count < left; count++) control.leave();
    for (let count = 0; count < connected; count++) control.connect();
    idle += idleMs;
    control.endTurn((index + 1) * 100, () => idle, waiting);
  });
  return control;
}

const many = (delayMs: number): number[] => Array.from({ length: 200 }, () => delayMs);

const late = (delayMs: number): Interval => ({ delaysMs: many(delayMs) });

describe('a worker is overloaded', () => {
  test('if every request was late for longer than a burst', () => {
    expect(run([late(81), late(81)]).holdsRequests).toBe(true);
  });
  test('if more than a tenth of the clients left, and it had no idle time', () => {
    const leaving = { delaysMs: many(5), left: 65 };
    expect(run([leaving, leaving]).holdsRequests).toBe(true);
    expect(run([leaving, { ...leaving, left: 64 }]).holdsRequests).toBe(false);
    expect(run([leaving, { ...leaving, idleMs: 5 }]).holdsRequests).toBe(false);
  });
  test('until an interval ends without a late or a waiting request', () => {
    expect(run([late(81), late(81), { delaysMs: many(5), waiting: 1 }]).holdsRequests).toBe(true);
    expect(run([late(81), late(81), { delaysMs: many(5) }]).holdsRequests).toBe(false);
  });
});

describe('a worker is not overloaded', () => {
  test('if one request of the interval was in time', () => {
    expect(run([late(500), { delaysMs: [...many(500), 80] }]).holdsRequests).toBe(false);
  });
  test('if it had idle time: the requests waited for Redis', () => {
    expect(run([late(500), { delaysMs: many(500), idleMs: 5 }]).holdsRequests).toBe(false);
  });
  test('if so few requests were in progress that they are no queue', () => {
    expect(run([{ delaysMs: [500, 500] }, { delaysMs: [500, 500] }]).holdsRequests).toBe(false);
  });
  test('after a burst', () => {
    expect(run([late(500)]).holdsRequests).toBe(false);
    expect(run([late(500), { delaysMs: many(5) }, late(500)]).holdsRequests).toBe(false);
  });
  test('before the interval has passed', () => {
    const control = new AdmissionControl({ maxDelayMs: 80, targetDelayMs: 30, intervalMs: 100, burstMs: 200 });
    control.endTurn(1_000, () => 0, 0);
    for (const delayMs of many(500)) {
      control.start();
      control.end(delayMs);
    }
    control.endTurn(1_099, () => 0, 0);
    expect(control.holdsRequests).toBe(false);
  });
});

describe('the limit of requests in progress', () => {
  test('does not exist without overload', () => {
    expect(run([{ delaysMs: many(5) }]).free).toBe(Infinity);
  });
  test('follows the delay, at most by half per interval', () => {
    expect(run([late(81), late(10_000)]).free).toBe(100);
    expect(run([late(81), late(10_000), late(40)]).free).toBe(75);
  });
  test('never falls below 16', () => {
    expect(run(Array.from({ length: 20 }, () => ({ delaysMs: many(1_000) }))).free).toBe(16);
  });
  test('grows while requests wait and delays are short', () => {
    expect(run([late(81), late(160), { delaysMs: many(5), waiting: 10 }]).free).toBe(100 * 1.1 + 1);
  });
  test('counts the requests in progress', () => {
    const control = run([late(81), late(160)]);
    control.start();
    expect(control.free).toBe(99);
  });
});

describe('new connections are refused', () => {
  const withConnections = (connected: number): Interval => ({ ...late(81), connected });
  test('if they are part of the load, until the overload ends', () => {
    expect(run([late(81), withConnections(201)]).refusesConnections).toBe(true);
    expect(run([late(81), withConnections(201), late(81)]).refusesConnections).toBe(true);
    expect(run([late(81), withConnections(201), { delaysMs: many(5) }]).refusesConnections).toBe(false);
  });
  test('not if they are few, or without overload', () => {
    expect(run([late(81), withConnections(200)]).refusesConnections).toBe(false);
    expect(run([{ delaysMs: many(5), connected: 1_000 }]).refusesConnections).toBe(false);
  });
});
