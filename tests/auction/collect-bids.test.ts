/** How long an auction waits: for all responses, for the soft budget, or for the deadline. */
import { describe, expect, jest, test } from '@jest/globals';
import {
  advanceTo,
  auction,
  hardMs,
  nextTurn,
  partnersOf,
  softMs,
  start,
  startMs,
  useAuctionClock,
} from './auction-clock.ts';
import { bidOf, FakePartner } from './fakes.ts';

useAuctionClock();

describe('an auction that all partners have responded to', () => {
  test('without partners ends immediately', async () => {
    const { run } = start([]);
    await nextTurn();
    expect(run.ended).toEqual({ atMs: 0, outcomes: [] });
  });

  test('ends immediately if all demand is local, without setting a timer', async () => {
    const [house, other] = partnersOf('house', 'other') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([
      house.respondsImmediately('bid', bidOf(1)),
      other.respondsImmediately('no_bid'),
    ]);
    expect(jest.getTimerCount()).toBe(0);
    await nextTurn();
    expect(endedAtMs()).toBe(0);
    expect(results()).toEqual(['bid', 'no_bid']);
  });

  test('ends with the last response, long before the soft budget is spent', async () => {
    const [house, a, b] = partnersOf('house', 'a', 'b') as [FakePartner, FakePartner, FakePartner];
    const { endedAtMs, results } = start([house.respondsImmediately('bid', bidOf(1)), a, b]);
    await advanceTo(5);
    b.respond('no_bid');
    await advanceTo(7);
    expect(endedAtMs()).toBeUndefined();
    a.bids(bidOf(2));
    await nextTurn();
    expect(endedAtMs()).toBe(7);
    expect(results()).toEqual(['bid', 'bid', 'no_bid']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('ends between soft budget and deadline even if there is no valid bid', async () => {
    const [a] = partnersOf('a') as [FakePartner];
    const { endedAtMs, results } = start([a]);
    await advanceTo(200);
    a.respond('error');
    await nextTurn();
    expect(endedAtMs()).toBe(200);
    expect(results()).toEqual(['error']);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('when the soft budget is spent', () => {
  test('an auction with a valid bid ends, and partners that have not responded are late', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, slow]);
    await advanceTo(5);
    a.bids(bidOf(1));
    await advanceTo(softMs - 1);
    expect(endedAtMs()).toBeUndefined();
    await advanceTo(softMs);
    expect(endedAtMs()).toBe(softMs);
    expect(results()).toEqual(['bid', 'late']);
    expect(slow.cancelledAs).toBe('late');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a bid in one of several calls of a partner counts', async () => {
    const a = new FakePartner('a', { calls: 2 });
    const { endedAtMs, results } = start([a]);
    a.bids(bidOf(1));
    await advanceTo(softMs);
    expect(endedAtMs()).toBe(softMs);
    expect(results()).toEqual(['bid']);
  });

  test('an auction without a valid bid ends with the first one to arrive', async () => {
    const [a, b, slow] = partnersOf('a', 'b', 'slow') as [FakePartner, FakePartner, FakePartner];
    const { run, endedAtMs, results } = start([a, b, slow]);
    a.respond('no_bid');
    await advanceTo(300);
    expect(endedAtMs()).toBeUndefined();
    b.bids(bidOf(1));
    await nextTurn();
    expect(endedAtMs()).toBe(300);
    expect(results()).toEqual(['no_bid', 'bid', 'late']);
    expect(run.ended!.outcomes[1]!.validBids.map(({ priceMicros }) => priceMicros)).toEqual([1_000_000]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('invalid bids do not end the auction, neither before nor after', async () => {
    const [a, b, slow] = partnersOf('a', 'b', 'slow') as [FakePartner, FakePartner, FakePartner];
    const { run, endedAtMs } = start([a, b, slow]);
    a.bids(bidOf(0.1));
    await advanceTo(softMs + 1);
    b.bids(bidOf(2, { currency: 'EUR' }), bidOf(2, { impid: 'imp-9' }));
    await nextTurn();
    expect(endedAtMs()).toBeUndefined();
    await advanceTo(hardMs);
    expect(endedAtMs()).toBe(hardMs);
    expect(run.ended!.outcomes.flatMap(({ droppedBids }) => droppedBids)).toMatchObject([
      { reason: 'below_floor', impid: 'imp-1' },
      { reason: 'currency', impid: 'imp-1' },
      { reason: 'unknown_imp', impid: 'imp-9' },
    ]);
  });

  test('one valid bid among invalid ones ends the auction', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { run, endedAtMs } = start([a, slow]);
    await advanceTo(200);
    a.bids(bidOf(0.1), bidOf(1), bidOf(-1));
    await nextTurn();
    expect(endedAtMs()).toBe(200);
    const { received, validBids, droppedBids } = run.ended!.outcomes[0]!;
    expect([received, validBids.length, droppedBids.length]).toEqual([3, 1, 2]);
  });
});

describe('at the deadline', () => {
  test('an auction without a bid ends, and partners that have not responded have timed out', async () => {
    const [a, b] = partnersOf('a', 'b') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, b]);
    a.respond('no_bid');
    await advanceTo(softMs);
    await advanceTo(hardMs - 1);
    expect(endedAtMs()).toBeUndefined();
    await advanceTo(hardMs);
    expect(endedAtMs()).toBe(hardMs);
    expect(results()).toEqual(['no_bid', 'timeout']);
    expect(b.cancelledAs).toBe('timeout');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('an auction with a short tmax ends before the soft budget is spent', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, slow], { softMs, hardMs: 80 });
    a.bids(bidOf(1));
    await advanceTo(79);
    expect(endedAtMs()).toBeUndefined();
    await advanceTo(80);
    expect(endedAtMs()).toBe(80);
    expect(results()).toEqual(['bid', 'timeout']);
  });

  test('a response that arrives in the same turn of the event loop still counts', async () => {
    const [a, b] = partnersOf('a', 'b') as [FakePartner, FakePartner];
    const { endedAtMs, results } = start([a, b], { softMs: hardMs, hardMs });
    jest.advanceTimersByTime(hardMs);
    a.bids(bidOf(1));
    await nextTurn();
    expect(endedAtMs()).toBe(hardMs);
    expect(results()![0]).toBe('bid');
  });

  test('every partner receives the deadline', () => {
    const partners = partnersOf('a', 'b');
    start(partners);
    const deadline = { hardAtMs: startMs + hardMs, softAtMs: startMs + softMs };
    for (const { requests } of partners) expect(requests).toEqual([{ auction, deadline }]);
  });
});

describe('the outcomes', () => {
  test('are in the order of the partners, each with its own duration', async () => {
    const [a, b, c] = partnersOf('a', 'b', 'c') as [FakePartner, FakePartner, FakePartner];
    const { run } = start([a, b, c]);
    await advanceTo(3);
    c.bids(bidOf(3));
    await nextTurn();
    await advanceTo(8);
    a.bids(bidOf(1));
    await nextTurn();
    await advanceTo(softMs);
    expect(run.ended!.outcomes.map(({ partner, durationMs }) => [partner.name, durationMs])).toEqual([
      ['a', 8],
      ['b', softMs],
      ['c', 3],
    ]);
  });

  test('do not change with later responses', async () => {
    const [a, slow] = partnersOf('a', 'slow') as [FakePartner, FakePartner];
    const { run, endedAtMs } = start([a, slow]);
    a.bids(bidOf(1));
    await advanceTo(softMs);
    slow.bids(bidOf(9));
    await advanceTo(1_000);
    expect(endedAtMs()).toBe(softMs);
    expect(run.ended!.outcomes[1]).toMatchObject({ result: 'late', received: 0, validBids: [], droppedBids: [] });
  });
});

describe('a defect', () => {
  const defect = new Error('a defect');

  test.each<[string, (partner: FakePartner) => void]>([
    ['in a partner that responds immediately', (partner) => partner.throwsImmediately(defect)],
    ['in a partner that responds later', () => {}],
  ])('%s rejects the auction and cancels every other call', async (_where, prepare) => {
    const [before, faulty, after] = partnersOf('before', 'faulty', 'after') as [FakePartner, FakePartner, FakePartner];
    prepare(faulty);
    const { run } = start([before, faulty, after]);
    faulty.fails(defect);
    await nextTurn();
    expect(run).toEqual({ defect });
    expect(before.cancelledAs).toBe('late');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('in a second partner is not an unhandled rejection', async () => {
    const [a, b] = partnersOf('a', 'b') as [FakePartner, FakePartner];
    const { run } = start([a, b]);
    a.fails(defect);
    b.fails(new Error('another defect'));
    await nextTurn();
    expect(run).toEqual({ defect });
  });
});
