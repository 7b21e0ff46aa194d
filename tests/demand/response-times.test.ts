/** How long a partner is waited for, learned from its response times. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ResponseTimes } from '../../src/demand/response-times.ts';
import { numRuns } from '../support/num-runs.ts';

const softMs = 150;

type Call = [kind: 'ended' | 'cancelled', durationMs: number];

function learn(...calls: Call[]): ResponseTimes {
  const times = new ResponseTimes(softMs);
  for (const [kind, durationMs] of calls) times[kind](durationMs);
  return times;
}

/** The same calls again and again, `count` altogether. */
const repeat = (count: number, ...calls: Call[]): Call[] =>
  Array.from({ length: count }, (_, index) => calls[index % calls.length]!);

const hung: Call = ['cancelled', 480];

describe('a partner that responds within the soft budget is waited for until it is spent', () => {
  test.each<[string, Call[]]>([
    ['before anything is known', []],
    ['if it is fast', repeat(200, ['ended', 2])],
    ['if it is slow', repeat(200, ['ended', 120])],
    ['if it has two modes', repeat(200, ['ended', 20], ['ended', 100])],
    ['if one response in a hundred takes long', repeat(1_000, ['ended', 100], ...repeat(99, ['ended', 5]))],
    ['if one call in a hundred gets no response', repeat(1_000, hung, ...repeat(99, ['ended', 5]))],
  ])('%s', (_when, calls) => {
    expect(learn(...calls).deadlineMs).toBe(softMs);
  });
});

describe('a partner that is unlikely to respond in time', () => {
  test.each<[string, Call]>([
    ['responds after the soft budget', ['ended', 151]],
    ['never responds, and is cancelled at the deadline', hung],
    ['never responds, and is cancelled just before the soft budget is spent', ['cancelled', 149]],
  ])('and %s, is not waited for after three calls', (_name, call) => {
    expect(learn(...repeat(2, call)).deadlineMs).toBe(softMs);
    expect(learn(...repeat(3, call)).deadlineMs).toBe(0);
  });

  test('is waited for if a quarter of the calls gets a response within the soft budget, not if a tenth does', () => {
    const slow: Call = ['ended', 300];
    expect(learn(...repeat(1_000, ['ended', 20], slow, slow, slow)).deadlineMs).toBeGreaterThan(20);
    expect(learn(...repeat(1_000, ['ended', 20], ...repeat(9, slow))).deadlineMs).toBe(0);
  });

  test.each<[string, Call]>([
    ['responds too late', ['ended', 400]],
    ['hangs', hung],
  ])('once its fast responses have not come, because it then %s, is waited for that long', (_name, slow) => {
    const { deadlineMs } = learn(...repeat(200, ['ended', 20], slow));
    expect(deadlineMs).toBeGreaterThanOrEqual(20);
    expect(deadlineMs).toBeLessThan(35);
  });

  test('is waited for at least ten milliseconds, if it is fast otherwise', () => {
    expect(learn(...repeat(200, ['ended', 1], hung)).deadlineMs).toBe(10);
  });
});

test('responses at once, however many, do not shorten the wait for those that take longer', () => {
  const bids = repeat(50, ['ended', 60]);
  expect(learn(...bids, ...repeat(10_000, ['ended', 1])).deadlineMs).toBe(softMs);
  expect(learn(...repeat(10_000, ['ended', 60], ...repeat(90, ['ended', 1]))).deadlineMs).toBe(softMs);
});

describe('a cancelled call', () => {
  test('that was open for less time than the partner needs does not make the partner unlikely', () => {
    expect(learn(...repeat(200, ['ended', 40]), ...repeat(1_000, ['cancelled', 8])).deadlineMs).toBe(softMs);
  });

  test('at the deadline again and again does not shorten it: what comes later is unknown', () => {
    const times = learn(...repeat(200, ['ended', 30], ['ended', 50], hung));
    const before = times.deadlineMs;
    expect(before).toBeLessThan(softMs);
    for (let i = 0; i < 1_000; i++) {
      times.ended(30);
      times.cancelled(Math.min(times.deadlineMs, 45));
    }
    expect(times.deadlineMs).toBeGreaterThanOrEqual(before);
  });
});

describe('a change', () => {
  test('to slower responses is covered from the first call on', () => {
    expect(learn(...repeat(1_000, ['ended', 5])).deadlineMs).toBeGreaterThan(100);
  });

  test('to a partner that hangs costs three calls, then as much as its responses took, and nothing after 200 calls', () => {
    const times = learn(...repeat(1_000, ['ended', 5]));
    for (let i = 0; i < 3; i++) times.cancelled(500);
    for (let i = 0; i < 197; i++) {
      expect(times.deadlineMs).toBeLessThanOrEqual(10);
      times.cancelled(500);
    }
    expect(times.deadlineMs).toBe(0);
  });

  test('from a partner that hangs to one that responds is seen after 25 calls', () => {
    const before = repeat(1_000, hung);
    expect(learn(...before, ...repeat(20, ['ended', 40])).deadlineMs).toBe(0);
    expect(learn(...before, ...repeat(25, ['ended', 40])).deadlineMs).toBeGreaterThan(40);
  });

  test('that is 400 calls old is forgotten: there is no more to know about late responses', () => {
    const before = repeat(1_000, hung);
    expect(learn(...before, ...repeat(200, ['ended', 5])).deadlineMs).toBe(10);
    expect(learn(...before, ...repeat(400, ['ended', 5])).deadlineMs).toBe(softMs);
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
