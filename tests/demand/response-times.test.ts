/** How long a partner is waited for, learned from its response times. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ResponseTimes } from '../../src/demand/response-times.ts';
import { numRuns } from '../support/num-runs.ts';

const softMs = 150;

type Call = [kind: 'ended' | 'cancelled' | 'endedWithBid', durationMs: number];

function learn(...calls: Call[]): ResponseTimes {
  const times = new ResponseTimes(softMs);
  for (const [kind, durationMs] of calls) {
    if (kind === 'cancelled') times.cancelled(durationMs);
    else times.ended(durationMs);
    if (kind === 'endedWithBid') times.bid(durationMs);
  }
  return times;
}

/** The same calls again and again, `count` altogether. */
const repeat = (count: number, ...calls: Call[]): Call[] =>
  Array.from({ length: count }, (_, index) => calls[index % calls.length]!);

describe('the deadline', () => {
  test('is the soft budget until ten calls are known', () => {
    expect(learn().deadlineMs).toBe(softMs);
    expect(learn(...repeat(9, ['ended', 5])).deadlineMs).toBe(softMs);
    expect(learn(...repeat(10, ['ended', 5])).deadlineMs).toBe(10);
  });

  test.each([
    ['fast', 2, 10, 10],
    ['ordinary', 40, 50, 60],
    ['slow', 120, 150, 150],
  ])('of a partner that is %s, with responses after %d ms, is between %d and %d ms', (_name, ms, least, most) => {
    const { deadlineMs } = learn(...repeat(200, ['ended', ms]));
    expect(deadlineMs).toBeGreaterThanOrEqual(least);
    expect(deadlineMs).toBeLessThanOrEqual(most);
  });

  test('of a partner with two modes covers both if both are within the soft budget', () => {
    expect(learn(...repeat(200, ['ended', 20], ['ended', 100])).deadlineMs).toBeGreaterThan(100);
  });

  test('of a partner with two modes covers only the fast one if the other exceeds the soft budget', () => {
    expect(learn(...repeat(200, ['ended', 20], ['ended', 400])).deadlineMs).toBeLessThan(35);
    expect(learn(...repeat(200, ['ended', 20], ['cancelled', 480])).deadlineMs).toBeLessThan(35);
  });

  test.each([
    ['responds after the soft budget', ['ended', 151]],
    ['never responds, and is cancelled at the deadline', ['cancelled', 480]],
    ['never responds, and is cancelled just before the soft budget is spent', ['cancelled', 149]],
  ] as [string, Call][])('of a partner that %s is 0 after ten calls', (_name, call) => {
    expect(learn(...repeat(10, call)).deadlineMs).toBe(0);
  });

  test('exists if a fifth of the calls gets a response within the soft budget, not if a tenth does', () => {
    const slow: Call = ['ended', 300];
    expect(learn(...repeat(1_000, ['ended', 20], slow, slow, slow)).deadlineMs).toBeGreaterThan(20);
    expect(learn(...repeat(1_000, ['ended', 20], ...repeat(9, slow))).deadlineMs).toBe(0);
  });

  test('leaves out a tail of less than two per cent', () => {
    const fast = repeat(99, ['ended', 20]);
    expect(learn(...repeat(1_000, ['ended', 100], ...fast)).deadlineMs).toBeLessThan(35);
  });
});

describe('a response without a bid', () => {
  const bids = repeat(50, ['endedWithBid', 60]);

  test('at once, however often, does not shorten the wait for bids', () => {
    const { deadlineMs } = learn(...bids);
    expect(deadlineMs).toBeGreaterThan(60);
    expect(learn(...bids, ...repeat(10_000, ['ended', 1])).deadlineMs).toBe(deadlineMs);
  });

  test('that takes longer than bids is not waited for', () => {
    expect(learn(...repeat(200, ['endedWithBid', 20], ['ended', 120])).deadlineMs).toBeLessThan(35);
  });

  test('makes the deadline longer, not shorter, until ten bids are known', () => {
    const responses = repeat(200, ['ended', 60]);
    expect(learn(...responses, ...repeat(9, ['endedWithBid', 2])).deadlineMs).toBeGreaterThan(60);
    expect(learn(...responses, ...repeat(10, ['endedWithBid', 2])).deadlineMs).toBe(10);
    expect(learn(['endedWithBid', 60], ...repeat(1_000, ['ended', 2])).deadlineMs).toBeGreaterThan(60);
  });

  test('shows that the partner is alive, so that its rare bids are waited for', () => {
    const rarely = repeat(1_000, ['endedWithBid', 60], ...repeat(49, ['ended', 55]));
    expect(learn(...rarely).deadlineMs).toBeGreaterThan(60);
  });
});

describe('a cancelled call', () => {
  test('that was open for less time than the partner needs does not make the partner unlikely', () => {
    const learned = [...repeat(200, ['ended', 40] as Call)];
    const before = learn(...learned).deadlineMs;
    expect(learn(...learned, ...repeat(1_000, ['cancelled', 8])).deadlineMs).toBe(before);
  });

  test('at the deadline again and again does not shorten it: what comes later is unknown', () => {
    const times = learn(...repeat(200, ['ended', 30], ['ended', 50]));
    const before = times.deadlineMs;
    for (let i = 0; i < 1_000; i++) {
      times.ended(30);
      times.cancelled(Math.min(times.deadlineMs, 45));
    }
    expect(times.deadlineMs).toBeGreaterThanOrEqual(before);
  });
});

describe('a change', () => {
  test('to slower responses is covered after five calls', () => {
    expect(learn(...repeat(1_000, ['ended', 5]), ...repeat(5, ['ended', 100])).deadlineMs).toBeGreaterThan(100);
  });

  test('to a partner that hangs makes it unlikely after 200 calls, which cost no more than its deadline before', () => {
    const times = learn(...repeat(1_000, ['ended', 5]));
    for (let i = 0; i < 200; i++) {
      expect(times.deadlineMs).toBeLessThanOrEqual(10);
      times.cancelled(500);
    }
    expect(times.deadlineMs).toBe(0);
  });

  test('from a partner that hangs to one that responds is seen after 25 calls', () => {
    const hung = repeat(1_000, ['cancelled', 500] as Call);
    expect(learn(...hung, ...repeat(20, ['ended', 40])).deadlineMs).toBe(0);
    expect(learn(...hung, ...repeat(25, ['ended', 40])).deadlineMs).toBeGreaterThan(40);
  });
});

test('whatever happens, the deadline is 0, or between ten milliseconds and the soft budget', () => {
  const call = fc.tuple(
    fc.constantFrom('ended' as const, 'cancelled' as const),
    fc.double({ min: 0, max: 1_000, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
      const { deadlineMs } = learn(...calls);
      expect(deadlineMs === 0 || (deadlineMs >= 10 && deadlineMs <= softMs)).toBe(true);
    }),
    { numRuns: numRuns(300) },
  );
});
