/** How long an auction waits: for all, for the soft budget, or for the deadline. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collect, type PartnerOutcome } from '../../src/auction/collect-bids.ts';
import { asPartners, auctionOf, bidOf, FakePartner } from './fakes.ts';

const startMs = 1_000_000;
const softMs = 150;
const hardMs = 480;
const auction = auctionOf(0.25);

beforeEach(() => void jest.useFakeTimers({ now: startMs, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const partnersOf = (...names: string[]) => names.map((name) => new FakePartner(name));

/** The calls of `done`, with the time of each. */
function start(partners: FakePartner[], budgets = { softMs, hardMs }) {
  const ends: { atMs: number; inquiries: PartnerOutcome[] }[] = [];
  const deadline = { softAtMs: startMs + budgets.softMs, hardAtMs: startMs + budgets.hardMs };
  collect(
    asPartners(partners),
    auction,
    deadline,
    () => jest.now(),
    (inquiries) => ends.push({ atMs: jest.now() - startMs, inquiries }),
  );
  return {
    ends,
    endedAtMs: () => ends.map(({ atMs }) => atMs),
    results: () => ends[0]?.inquiries.map(({ result }) => result),
  };
}

/** Up to that many milliseconds after the start, and through the turn of the event loop in which timers act. */
async function passTo(ms: number): Promise<void> {
  jest.advanceTimersByTime(startMs + ms - jest.now());
  await nextTurn();
}

describe('when all have answered', () => {
  test('an auction without partners ends before it has begun', () => {
    const { ends } = start([]);
    expect(ends).toEqual([{ atMs: 0, inquiries: [] }]);
  });

  test('it ends before collect returns where all answer at once', () => {
    const [house, other] = partnersOf('house', 'other') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([house.answersAtOnce('bid', bidOf(1)), other.answersAtOnce('no_bid')]);
    expect(endedAtMs()).toEqual([0]);
    expect(results()).toEqual(['bid', 'no_bid']);
  });

  test('the last answer ends it, long before the soft budget', async () => {
    const [house, a, b] = partnersOf('house', 'a', 'b') as [FakePartner, FakePartner, FakePartner];
    const { endedAtMs, results } = start([house.answersAtOnce('bid', bidOf(1)), a, b]);
    await passTo(5);
    b.ends('no_bid');
    await passTo(7);
    expect(endedAtMs()).toEqual([]);
    a.bids(bidOf(2));
    expect(endedAtMs()).toEqual([7]);
    expect(results()).toEqual(['bid', 'bid', 'no_bid']);
  });

  test('it ends once, and leaves no timer behind', async () => {
    const [a] = partnersOf('a') as [FakePartner];
    const { endedAtMs } = start([a]);
    a.bids(bidOf(1));
    expect(jest.getTimerCount()).toBe(0);
    await passTo(1_000);
    expect(endedAtMs()).toEqual([0]);
  });

  test('between soft budget and deadline it does not matter that there is no valid bid', async () => {
    const [a] = partnersOf('a') as [FakePartner];
    const { endedAtMs, results } = start([a]);
    await passTo(200);
    a.ends('error');
    expect(endedAtMs()).toEqual([200]);
    expect(results()).toEqual(['error']);
  });
});

describe('the soft budget', () => {
  test('ends it where a valid bid is at hand, not a moment sooner; who has not answered is late', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, slow]);
    await passTo(5);
    a.bids(bidOf(1));
    await passTo(softMs - 1);
    expect(endedAtMs()).toEqual([]);
    await passTo(softMs);
    expect(endedAtMs()).toEqual([softMs]);
    expect(results()).toEqual(['bid', 'late']);
    expect(slow.givenUp).toEqual(['late']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('counts a bid of a partner that has not finished', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, slow]);
    a.offers(bidOf(1));
    await passTo(softMs);
    expect(endedAtMs()).toEqual([softMs]);
    expect(results()).toEqual(['bid', 'late']);
  });

  test('passes without a valid bid: the first one to arrive ends it', async () => {
    const [a, b, slow] = partnersOf('a', 'b', 'slow') as [FakePartner, FakePartner, FakePartner];
    const { ends, endedAtMs, results } = start([a, b, slow]);
    a.ends('no_bid');
    await passTo(300);
    expect(endedAtMs()).toEqual([]);
    b.bids(bidOf(1));
    expect(endedAtMs()).toEqual([300]);
    expect(results()).toEqual(['no_bid', 'bid', 'late']);
    expect(ends[0]!.inquiries[1]!.valid.map(({ priceMicros }) => priceMicros)).toEqual([1_000_000]);
  });

  test('is not ended by invalid bids, neither before nor after', async () => {
    const [a, b, slow] = partnersOf('a', 'b', 'slow') as [FakePartner, FakePartner, FakePartner];
    const { ends, endedAtMs } = start([a, b, slow]);
    a.bids(bidOf(0.1));
    await passTo(softMs + 1);
    b.bids(bidOf(2, { currency: 'EUR' }), bidOf(2, { impid: 'imp-9' }));
    expect(endedAtMs()).toEqual([]);
    await passTo(hardMs);
    expect(endedAtMs()).toEqual([hardMs]);
    expect(ends[0]!.inquiries.flatMap(({ dropped }) => dropped)).toEqual([
      { reason: 'below_floor', impid: 'imp-1' },
      { reason: 'currency', impid: 'imp-1' },
      { reason: 'unknown_imp', impid: 'imp-9' },
    ]);
  });

  test('one valid bid among invalid ones is enough', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { ends, endedAtMs } = start([a, slow]);
    await passTo(200);
    a.offers(bidOf(0.1), bidOf(1), bidOf(-1));
    expect(endedAtMs()).toEqual([200]);
    const { offered, valid, dropped } = ends[0]!.inquiries[0]!;
    expect([offered, valid.length, dropped.length]).toEqual([3, 1, 2]);
  });
});

describe('the deadline', () => {
  test('ends it without any bid, not a moment sooner; who has not answered has timed out', async () => {
    const [a, b] = partnersOf('a', 'b') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, b]);
    a.ends('no_bid');
    await passTo(hardMs - 1);
    expect(endedAtMs()).toEqual([]);
    await passTo(hardMs);
    expect(endedAtMs()).toEqual([hardMs]);
    expect(results()).toEqual(['no_bid', 'timeout']);
    expect(b.givenUp).toEqual(['timeout']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('comes before the soft budget where the tmax is short', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, slow], { softMs, hardMs: 80 });
    a.bids(bidOf(1));
    await passTo(80);
    expect(endedAtMs()).toEqual([80]);
    expect(results()).toEqual(['bid', 'timeout']);
  });

  test('leaves room for what has arrived already: an answer in the same turn still counts', async () => {
    const [a, b] = partnersOf('a', 'b') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, b]);
    jest.advanceTimersByTime(hardMs);
    a.bids(bidOf(1));
    await nextTurn();
    expect(endedAtMs()).toEqual([hardMs]);
    expect(results()![0]).toBe('bid');
  });

  test('is what every partner is told', () => {
    const partners = partnersOf('a', 'b');
    start(partners);
    for (const { asked } of partners) expect(asked).toEqual([{ auction, deadlineMs: startMs + hardMs }]);
  });
});

describe('what is told', () => {
  test('has the order of the partners, whoever answers first, and the time of each', async () => {
    const [a, b, c] = partnersOf('a', 'b', 'c') as [FakePartner, FakePartner, FakePartner];
    const { ends } = start([a, b, c]);
    await passTo(3);
    c.bids(bidOf(3));
    await passTo(8);
    a.bids(bidOf(1));
    await passTo(softMs);
    expect(ends[0]!.inquiries.map(({ partner, durationMs }) => [partner.name, durationMs])).toEqual([
      ['a', 8],
      ['b', softMs],
      ['c', 3],
    ]);
  });

  test('is what was known at the end: later answers change nothing', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { ends, endedAtMs } = start([a, slow]);
    a.bids(bidOf(1));
    await passTo(softMs);
    slow.bids(bidOf(9));
    await passTo(1_000);
    expect(endedAtMs()).toEqual([softMs]);
    expect(ends[0]!.inquiries[1]).toMatchObject({ result: 'late', offered: 0, valid: [], dropped: [] });
  });
});
