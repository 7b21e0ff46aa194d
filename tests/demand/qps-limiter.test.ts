/** The QPS cap of a partner: never exceeded in any interval, divided among the workers, and fully usable. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { QpsLimiter } from '../../src/demand/qps-limiter.ts';

const startMs = 1_000;

/** The times at which calls were admitted, of the requested ones. */
const admitted = (limiter: QpsLimiter, timesMs: readonly number[]): number[] =>
  timesMs.filter((ms) => limiter.take(ms));

const steady = (everyMs: number, forMs: number): number[] =>
  Array.from({ length: forMs / everyMs }, (_, i) => startMs + i * everyMs);

/** No interval between two calls may contain more than the burst of one second plus the rate. */
function expectWithinRate(callsMs: readonly number[], maxQps: number): void {
  const sorted = callsMs.toSorted((a, b) => a - b);
  for (const [from, fromMs] of sorted.entries()) {
    for (let to = from; to < sorted.length; to++) {
      const allowed = maxQps * (1 + (sorted[to]! - fromMs) / 1_000);
      expect(to - from + 1).toBeLessThanOrEqual(allowed + 1e-6);
    }
  }
}

/** Calls of several workers at arbitrary times. */
const anyAttempts = fc
  .array(fc.tuple(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 700, noNaN: true })), fc.nat({ max: 63 })), {
    maxLength: 150,
  })
  .map((steps) => {
    let nowMs = startMs;
    return steps.map(([stepMs, worker]) => ({ atMs: (nowMs += stepMs), worker }));
  });

function callsOf(attempts: readonly { atMs: number; worker: number }[], maxQps: number, workers: number): number[] {
  const limiters = Array.from({ length: workers }, (_, workerIndex) => new QpsLimiter(maxQps, workers, workerIndex));
  return attempts.filter(({ atMs, worker }) => limiters[worker % workers]!.take(atMs)).map(({ atMs }) => atMs);
}

describe('one worker', () => {
  test('may make the calls of one second in one burst, and no more', () => {
    const attempts = Array.from({ length: 50 }, () => startMs);
    expect(admitted(new QpsLimiter(10, 1, 0), attempts)).toHaveLength(10);
  });

  test('may make the next call after one interval, not before', () => {
    const limiter = new QpsLimiter(10, 1, 0);
    admitted(
      limiter,
      Array.from({ length: 10 }, () => startMs),
    );
    expect(limiter.take(startMs + 99)).toBe(false);
    expect(limiter.take(startMs + 100)).toBe(true);
    expect(limiter.take(startMs + 100)).toBe(false);
  });

  test('leaves half of the calls to others if it yields', () => {
    const limiter = new QpsLimiter(10, 1, 0);
    const yielding = () => limiter.take(startMs, true);
    expect(Array.from({ length: 10 }, yielding).filter(Boolean)).toHaveLength(5);
    expect(admitted(limiter, Array.from({ length: 10 }, () => startMs))).toHaveLength(5); // prettier-ignore
    expect(yielding()).toBe(false);
  });

  test('makes its only call also if it yields', () => {
    expect(new QpsLimiter(1, 1, 0).take(startMs, true)).toBe(true);
  });

  test('saves up the calls of at most one second', () => {
    const limiter = new QpsLimiter(10, 1, 0);
    const attempts = Array.from({ length: 50 }, () => startMs + 3_600_000);
    expect(admitted(limiter, attempts)).toHaveLength(10);
  });

  test('is not charged for skipped calls', () => {
    const limiter = new QpsLimiter(1, 1, 0);
    limiter.take(startMs);
    for (let ms = 1; ms < 1_000; ms++) expect(limiter.take(startMs + ms)).toBe(false);
    expect(limiter.take(startMs + 1_000)).toBe(true);
  });

  test('never exceeds the rate in any interval', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), anyAttempts, (maxQps, attempts) => {
        expectWithinRate(callsOf(attempts, maxQps, 1), maxQps);
      }),
      { numRuns: 300 },
    );
  });

  test('can use the whole rate', () => {
    for (const maxQps of [1, 3, 7, 10, 99]) {
      const calls = admitted(new QpsLimiter(maxQps, 1, 0), steady(1, 10_000));
      expect(calls.length).toBeGreaterThanOrEqual(maxQps * 10);
    }
  });
});

describe('several workers', () => {
  test('together never exceed the rate in any interval if each has at least one call per second', () => {
    const anyShares = fc
      .record({
        workers: fc.integer({ min: 1, max: 8 }),
        each: fc.integer({ min: 1, max: 4 }),
        rest: fc.nat({ max: 7 }),
      })
      .map(({ workers, each, rest }) => ({ workers, maxQps: workers * each + (rest % workers) }));
    fc.assert(
      fc.property(anyShares, anyAttempts, ({ workers, maxQps }, attempts) => {
        expectWithinRate(callsOf(attempts, maxQps, workers), maxQps);
      }),
      { numRuns: 300 },
    );
  });

  test('without a call per second of its own makes none, not even one that yields', () => {
    const limiter = new QpsLimiter(3, 8, 5);
    for (const yields of [false, true]) expect(limiter.take(startMs, yields)).toBe(false);
  });

  test('together never exceed the rate if there are more workers than calls per second', () => {
    const attempts = Array.from({ length: 80 }, (_, index) => ({ atMs: startMs, worker: index }));
    expectWithinRate(callsOf(attempts, 2, 8), 2);
  });

  test.each([
    [100, 4],
    [10, 3],
    [7, 2],
    [3, 2],
    [1, 4],
    [5, 8],
  ])('can use the whole rate: %d calls per second among %d workers', (maxQps, workers) => {
    const seconds = 20;
    const attempts = steady(1, seconds * 1_000);
    const calls = Array.from(
      { length: workers },
      (_, workerIndex) => admitted(new QpsLimiter(maxQps, workers, workerIndex), attempts).length,
    );
    const total = calls.reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(maxQps * seconds);
  });
});

describe('a rate that cannot be divided evenly', () => {
  test('gives the first workers one call more', () => {
    const attempts = Array.from({ length: 10 }, () => startMs);
    expect([0, 1, 2].map((workerIndex) => admitted(new QpsLimiter(5, 3, workerIndex), attempts).length)).toEqual([
      2, 2, 1,
    ]);
  });

  test('lower than the number of workers leaves some workers without calls', () => {
    const attempts = steady(100, 5_000);
    expect(admitted(new QpsLimiter(1, 4, 0), attempts)).toHaveLength(5);
    expect(admitted(new QpsLimiter(1, 4, 1), attempts)).toHaveLength(0);
  });

  test('with an interval of a third of a second loses no call to rounding', () => {
    const limiter = new QpsLimiter(3, 1, 0);
    const attempts = Array.from({ length: 3 }, () => startMs);
    expect(admitted(limiter, attempts)).toHaveLength(3);
  });
});
