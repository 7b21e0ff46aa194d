/** The deadline of an auction, and the soft budget after which one bid is enough. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Budgets, deadlineOf } from '../../src/auction/deadline.ts';

const budgets: Budgets = { timeoutMs: 500, softTimeoutMs: 150 };

describe('examples', () => {
  test.each([
    ['no tmax: the configured budget less the margin', undefined, 480],
    ['a shorter tmax shortens it', 300, 280],
    ['a tmax of exactly the budget changes nothing', 500, 480],
    ['a longer tmax does not lengthen it', 5_000, 480],
    ['a tmax of 100 leaves a budget', 100, 80],
  ])('%s', (_name, tmax, hardMs) => {
    expect(deadlineOf(0, tmax, budgets).hardAtMs).toBe(hardMs);
  });

  test('the soft budget starts with the arrival and does not depend on tmax', () => {
    expect(deadlineOf(0, undefined, budgets).softAtMs).toBe(150);
    expect(deadlineOf(0, 100, budgets).softAtMs).toBe(150);
  });
});

describe('for all arrivals and budgets', () => {
  const anyArrival = fc.double({ min: 0, max: 1e10, noNaN: true });
  const anyTmax = fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined });
  const anyBudgets = fc.record({
    timeoutMs: fc.integer({ min: 1, max: 10_000 }),
    softTimeoutMs: fc.integer({ min: 1, max: 10_000 }),
  });

  test('the clock starts when the request arrives', () => {
    fc.assert(
      fc.property(anyArrival, anyTmax, anyBudgets, (arrivedAtMs, tmax, some) => {
        const atZero = deadlineOf(0, tmax, some);
        const { hardAtMs, softAtMs } = deadlineOf(arrivedAtMs, tmax, some);
        expect(hardAtMs - arrivedAtMs).toBeCloseTo(atZero.hardAtMs, 3);
        expect(softAtMs - arrivedAtMs).toBeCloseTo(some.softTimeoutMs, 3);
      }),
    );
  });

  test('there is time left, and a margin of at most 20 ms for the response', () => {
    fc.assert(
      fc.property(anyTmax, anyBudgets, (tmax, some) => {
        const budgetMs = Math.min(tmax ?? Infinity, some.timeoutMs);
        const { hardAtMs } = deadlineOf(0, tmax, some);
        expect(hardAtMs).toBeGreaterThan(0);
        expect(hardAtMs).toBeLessThan(budgetMs);
        expect(hardAtMs).toBeGreaterThanOrEqual(budgetMs - 20);
      }),
    );
  });
});
