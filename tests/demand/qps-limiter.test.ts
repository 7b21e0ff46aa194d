/** A partner's rate: kept in every stretch of time, shared out among the workers, and used in full. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { QpsLimiter } from '../../src/demand/qps-limiter.ts';

const startMs = 1_000;

/** When calls were let through, of those wanted at these times. */
const admitted = (gate: QpsLimiter, wantedMs: readonly number[]): number[] => wantedMs.filter((ms) => gate.take(ms));

const steady = (everyMs: number, forMs: number): number[] =>
  Array.from({ length: forMs / everyMs }, (_, i) => startMs + i * everyMs);

/** The most that one second's worth and the rate allow, in every stretch of time between two calls. */
function expectWithinRate(callsMs: readonly number[], maxQps: number): void {
  const sorted = callsMs.toSorted((a, b) => a - b);
  for (const [from, fromMs] of sorted.entries()) {
    for (let to = from; to < sorted.length; to++) {
      const allowed = maxQps * (1 + (sorted[to]! - fromMs) / 1_000);
      expect(to - from + 1).toBeLessThanOrEqual(allowed + 1e-6);
    }
  }
}

/** Moments at which a call is wanted, by one of the workers. */
const anyWants = fc
  .array(fc.tuple(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 700, noNaN: true })), fc.nat({ max: 63 })), {
    maxLength: 150,
  })
  .map((steps) => {
    let nowMs = startMs;
    return steps.map(([stepMs, worker]) => ({ atMs: (nowMs += stepMs), worker }));
  });

function callsOf(wants: readonly { atMs: number; worker: number }[], maxQps: number, workers: number): number[] {
  const gates = Array.from({ length: workers }, (_, slot) => new QpsLimiter(maxQps, workers, slot));
  return wants.filter(({ atMs, worker }) => gates[worker % workers]!.take(atMs)).map(({ atMs }) => atMs);
}

describe('one worker', () => {
  test('may make one second’s worth of calls at once, and not one more', () => {
    const wants = Array.from({ length: 50 }, () => startMs);
    expect(admitted(new QpsLimiter(10, 1, 0), wants)).toHaveLength(10);
  });

  test('has the next call after one interval, not before', () => {
    const gate = new QpsLimiter(10, 1, 0);
    admitted(
      gate,
      Array.from({ length: 10 }, () => startMs),
    );
    expect(gate.take(startMs + 99)).toBe(false);
    expect(gate.take(startMs + 100)).toBe(true);
    expect(gate.take(startMs + 100)).toBe(false);
  });

  test('saves up no more than one second’s worth', () => {
    const gate = new QpsLimiter(10, 1, 0);
    const wants = Array.from({ length: 50 }, () => startMs + 3_600_000);
    expect(admitted(gate, wants)).toHaveLength(10);
  });

  test('is not charged for refusals', () => {
    const gate = new QpsLimiter(1, 1, 0);
    gate.take(startMs);
    for (let ms = 1; ms < 1_000; ms++) expect(gate.take(startMs + ms)).toBe(false);
    expect(gate.take(startMs + 1_000)).toBe(true);
  });

  test('never exceeds the rate, in any stretch of time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), anyWants, (maxQps, wants) => {
        expectWithinRate(callsOf(wants, maxQps, 1), maxQps);
      }),
      { numRuns: 300 },
    );
  });

  test('has all of the rate, where calls are always wanted', () => {
    for (const maxQps of [1, 3, 7, 10, 99]) {
      const calls = admitted(new QpsLimiter(maxQps, 1, 0), steady(1, 10_000));
      expect(calls.length).toBeGreaterThanOrEqual(maxQps * 10);
    }
  });
});

describe('several workers', () => {
  test('never exceed the rate together, in any stretch of time, where each has a call a second or more', () => {
    const anyShares = fc
      .record({
        workers: fc.integer({ min: 1, max: 8 }),
        each: fc.integer({ min: 1, max: 4 }),
        rest: fc.nat({ max: 7 }),
      })
      .map(({ workers, each, rest }) => ({ workers, maxQps: workers * each + (rest % workers) }));
    fc.assert(
      fc.property(anyShares, anyWants, ({ workers, maxQps }, wants) => {
        expectWithinRate(callsOf(wants, maxQps, workers), maxQps);
      }),
      { numRuns: 300 },
    );
  });

  test('never exceed the rate together where there are more workers than calls a second', () => {
    const wants = Array.from({ length: 80 }, (_, index) => ({ atMs: startMs, worker: index }));
    expectWithinRate(callsOf(wants, 2, 8), 2);
  });

  test.each([
    [100, 4],
    [10, 3],
    [7, 2],
    [3, 2],
    [1, 4],
    [5, 8],
  ])('have all of %d calls a second among %d of them, where calls are always wanted', (maxQps, workers) => {
    const seconds = 20;
    const wants = steady(1, seconds * 1_000);
    const calls = Array.from(
      { length: workers },
      (_, slot) => admitted(new QpsLimiter(maxQps, workers, slot), wants).length,
    );
    const total = calls.reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(maxQps * seconds);
  });
});

describe('a rate that cannot be shared out evenly', () => {
  test('gives one call more to the first workers', () => {
    const wants = Array.from({ length: 10 }, () => startMs);
    expect([0, 1, 2].map((slot) => admitted(new QpsLimiter(5, 3, slot), wants).length)).toEqual([2, 2, 1]);
  });

  test('of fewer calls than workers leaves some without any', () => {
    const wants = steady(100, 5_000);
    expect(admitted(new QpsLimiter(1, 4, 0), wants)).toHaveLength(5);
    expect(admitted(new QpsLimiter(1, 4, 1), wants)).toHaveLength(0);
  });

  test('with an interval of a third of a second loses no call to rounding', () => {
    const gate = new QpsLimiter(3, 1, 0);
    const wants = Array.from({ length: 3 }, () => startMs);
    expect(admitted(gate, wants)).toHaveLength(3);
  });
});
