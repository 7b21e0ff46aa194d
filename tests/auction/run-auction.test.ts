/** Whole auctions among fake partners: what leaves, what is reported, and that every bid is counted once. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { AuctionType } from '../../src/auction/pick-winner.ts';
import { type AuctionResult, createRunAuction } from '../../src/auction/run-auction.ts';
import type { UncheckedBid } from '../../src/demand/adapter.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { adm, asPartners, auctionOf, bidOf, FakePartner } from './fakes.ts';

const softMs = 150;
const hardMs = 480;

beforeEach(() => void jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

async function passTo(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms - jest.now());
  await nextTurn();
}

interface Terms {
  floors?: number[];
  type?: AuctionType;
  test?: boolean;
}

/** Starts an auction; what came of it, and what was recorded of it so far. */
function start(partners: readonly FakePartner[], { floors = [0.25], type = 1, test = false }: Terms = {}) {
  const results: AuctionResult[] = [];
  const asked: [name: string, result: PartnerResult][] = [];
  const verdicts: [name: string, verdict: string][] = [];
  const runAuction = createRunAuction(asPartners(partners), () => jest.now(), {
    partner: (name, result) => asked.push([name, result]),
    bid: (name, verdict) => verdicts.push([name, verdict]),
  });
  const deadline = { softAtMs: jest.now() + softMs, hardAtMs: jest.now() + hardMs };
  runAuction(auctionOf(...floors), { type, test, deadline }, (result) => results.push(result));
  return { results, asked, verdicts };
}

const bidding = (name: string, ...bids: UncheckedBid[]) => new FakePartner(name).answersAtOnce('bid', ...bids);
const winners = ({ seatbid }: AuctionResult) =>
  seatbid.flatMap(({ seat, bid }) => bid.map(({ impid, price }) => [seat, impid, price]));

describe('what leaves', () => {
  test('is one seatbid a partner, with all the impressions it won', () => {
    const { results } = start(
      [
        bidding('a', bidOf(1), bidOf(3, { impid: 'imp-3' })),
        bidding('b', bidOf(2), bidOf(2, { impid: 'imp-2' }), bidOf(2, { impid: 'imp-3' })),
        bidding('c', bidOf(0.5)),
      ],
      { floors: [0, 0, 0] },
    );
    expect(winners(results[0]!)).toEqual([
      ['a', 'imp-3', 3],
      ['b', 'imp-1', 2],
      ['b', 'imp-2', 2],
    ]);
    expect(results[0]!.seatbid).toHaveLength(2);
  });

  test('is priced by the type of the auction', () => {
    const partners = () => [bidding('a', bidOf(3)), bidding('b', bidOf(2))];
    expect(winners(start(partners(), { type: 1 }).results[0]!)).toEqual([['a', 'imp-1', 3]]);
    expect(winners(start(partners(), { type: 2 }).results[0]!)).toEqual([['a', 'imp-1', 2.01]]);
  });

  test('is nothing where nobody bids', () => {
    const { results } = start([new FakePartner('a').answersAtOnce('no_bid')]);
    expect(results[0]!.seatbid).toEqual([]);
  });

  test('has the members that the partner gave, and those alone', () => {
    const given = { nurl: 'https://a.example/won?p=${AUCTION_PRICE}', burl: 'https://a.example/bill', exp: 300 };
    const more = { adomain: ['a.example'], crid: 'c1', cid: 'campaign', cat: ['IAB1'] };
    const { results } = start([bidding('a', { ...bidOf(1, { ...given, ...more }), ext: { x: 1 } } as UncheckedBid)]);
    expect(results[0]!.seatbid[0]!.bid).toEqual([
      { id: 'bid-1', impid: 'imp-1', price: 1, adm, mtype: 4, ...given, ...more },
    ]);
  });

  test('always has an id and a crid, and leaves out members of a wrong type', () => {
    const wrong = { id: 7, nurl: 1, burl: {}, adomain: 'a.example', crid: null, cid: [], cat: [1], exp: '300' };
    const { results } = start([bidding('a', bidOf(1, wrong))]);
    const [bid] = results[0]!.seatbid[0]!.bid;
    expect(bid).toEqual({ id: expect.any(String), impid: 'imp-1', price: 1, adm, crid: expect.any(String), mtype: 4 });
    expect([bid!.id, bid!.crid]).not.toContain('');
  });
});

describe('what is counted', () => {
  test('a second bid of a partner on the same impression is lost, whichever comes first', () => {
    const { results, verdicts } = start([bidding('a', bidOf(1), bidOf(2))]);
    expect(winners(results[0]!)).toEqual([['a', 'imp-1', 2]]);
    expect(verdicts).toEqual([
      ['a', 'lost'],
      ['a', 'won'],
    ]);
  });

  test('a dropped bid is told with its reason, and reported with its impression', () => {
    const { results, verdicts } = start([bidding('a', bidOf(0.1), bidOf(1, { impid: 9 }))]);
    expect(verdicts).toEqual([
      ['a', 'below_floor'],
      ['a', 'unknown_imp'],
    ]);
    expect(results[0]!.reports()).toEqual([
      {
        name: 'a',
        outcome: 'bid',
        durationMs: 0,
        bids: 2,
        rejected: [
          { reason: 'below_floor', impid: 'imp-1' },
          { reason: 'unknown_imp', impid: '' },
        ],
      },
    ]);
  });

  test('an answer that comes after the end is late, and its bids count nowhere', async () => {
    const slow = new FakePartner('slow');
    const { results, asked, verdicts } = start([bidding('a', bidOf(1)), slow]);
    await passTo(softMs);
    slow.bids(bidOf(9));
    await passTo(1_000);
    expect(results.map(winners)).toEqual([[['a', 'imp-1', 1]]]);
    expect(results[0]!.reports()[1]).toMatchObject({ name: 'slow', outcome: 'late', bids: 0, rejected: [] });
    expect(verdicts).toEqual([['a', 'won']]);
    expect(asked).toEqual([
      ['a', 'bid'],
      ['slow', 'late'],
    ]);
  });
});

describe('a test auction', () => {
  test('is among the partners that take test traffic, and nothing of it is counted', () => {
    const live = bidding('live', bidOf(9));
    const sandbox = new FakePartner('sandbox', { test: true }).answersAtOnce('bid', bidOf(1), bidOf(0.1));
    const { results, asked, verdicts } = start([live, sandbox], { test: true });
    expect(live.asked).toEqual([]);
    expect(winners(results[0]!)).toEqual([['sandbox', 'imp-1', 1]]);
    expect(results[0]!.reports().map(({ name }) => name)).toEqual(['sandbox']);
    expect([...asked, ...verdicts]).toEqual([]);
  });

  test('ends at once where no partner takes test traffic', () => {
    const { results } = start([bidding('live', bidOf(9))], { test: true });
    expect(results.map(({ seatbid, reports }) => [seatbid, reports()])).toEqual([[[], []]]);
  });

  test('is not the only kind for a partner that takes test traffic', () => {
    const both = new FakePartner('both', { test: true }).answersAtOnce('bid', bidOf(1));
    expect(start([both]).verdicts).toEqual([['both', 'won']]);
  });
});

const anyBid: fc.Arbitrary<UncheckedBid> = fc.record(
  {
    impid: fc.constantFrom<unknown>('imp-1', 'imp-1', 'imp-2', 'imp-2', 'imp-9', 1, null),
    price: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 3_000_000 }).map((micros) => micros / 1_000_000) },
      { weight: 3, arbitrary: fc.constantFrom<unknown>(0.01, 0.25, 0.5, 1, 2) },
      fc.constantFrom<unknown>(0, -1, '1', null, Infinity, 100_001),
    ),
    currency: fc.constantFrom<unknown>('USD', 'USD', 'USD', 'EUR', undefined),
    adm: fc.constantFrom<unknown>(adm, adm, adm, `{"native":${adm}}`, '', '{}', 7, undefined),
  },
  { requiredKeys: ['price'] },
);

/** When a partner answers: at once, or at these times; what it bids, part by part. */
interface Script {
  test: boolean;
  parts: { atMs: number; bids: UncheckedBid[] }[];
  ends: boolean;
}

const times = [0, 1, 50, softMs - 1, softMs + 1, 300, hardMs - 1, hardMs + 1, 600];
const anyScript: fc.Arbitrary<Script> = fc.record({
  test: fc.boolean(),
  parts: fc.array(
    fc.record({ atMs: fc.constantFrom(...times), bids: fc.array(anyBid, { minLength: 1, maxLength: 4 }) }),
    { maxLength: 3 },
  ),
  ends: fc.boolean(),
});
const anyTerms = fc.record({
  floors: fc.tuple(fc.constantFrom(0, 0.25), fc.constantFrom(0, 0.5)),
  type: fc.constantFrom<AuctionType>(1, 2),
  test: fc.boolean(),
});

/** Plays the scripts to their end; what they bid before the auction was over is in each partner's `offered`. */
async function play(scripts: readonly Script[], terms: Required<Terms>) {
  jest.setSystemTime(0);
  const partners = scripts.map(({ test }, index) => new FakePartner(`partner-${index}`, { test }));
  const told = start(partners, terms);
  for (const time of times) {
    await passTo(time);
    for (const [index, { parts, ends }] of scripts.entries()) {
      const partner = partners[index]!;
      for (const { atMs, bids } of parts) if (atMs === time) partner.offers(...bids);
      const isLast = parts.every(({ atMs }) => atMs <= time);
      if (ends && isLast) partner.ends(partner.offered > 0 ? 'bid' : 'no_bid');
    }
  }
  return { scripts, partners, ...told };
}

const check = (holds: (played: Awaited<ReturnType<typeof play>>, terms: Required<Terms>) => void) =>
  fc.assert(
    fc.asyncProperty(fc.array(anyScript, { maxLength: 5 }), anyTerms, async (scripts, terms) => {
      holds(await play(scripts, terms), terms);
    }),
    { numRuns: 400 },
  );

describe('for all auctions', () => {
  test('the verdicts on a partner add up to the bids it made', async () => {
    await check(({ partners, results, verdicts }, { test }) => {
      expect(results).toHaveLength(1);
      const reports = new Map(results[0]!.reports().map((report) => [report.name, report]));
      for (const { name, offered } of partners) {
        const own = verdicts.filter(([partner]) => partner === name).map(([, verdict]) => verdict);
        expect(own).toHaveLength(test ? 0 : offered);
        expect(reports.get(name)?.bids ?? 0).toBe(offered);
        if (test) continue;
        const won = results[0]!.seatbid.find(({ seat }) => seat === name)?.bid ?? [];
        expect(own.filter((verdict) => verdict === 'won')).toHaveLength(won.length);
        const dropped = own.filter((verdict) => verdict !== 'won' && verdict !== 'lost');
        expect(dropped.sort()).toEqual(
          reports
            .get(name)!
            .rejected.map(({ reason }) => reason)
            .sort(),
        );
      }
    });
  });

  test('every partner that was asked is counted once, and in a test auction none', async () => {
    await check(({ partners, results, asked }, { test }) => {
      const outcomes = results[0]!.reports().map(({ name, outcome }) => [name, outcome]);
      expect(asked).toEqual(test ? [] : outcomes);
      const expected = partners.filter((partner) => !test || partner.test);
      expect(outcomes.map(([name]) => name)).toEqual(expected.map(({ name }) => name));
      expect(partners.filter((partner) => partner.asked.length > 0)).toEqual(expected);
    });
  });

  test('each impression is sold once at most, at its floor or above, and not above what its buyer bid', async () => {
    await check(({ scripts, partners, results }, { floors }) => {
      const sold = results[0]!.seatbid.flatMap(({ seat, bid }) => bid.map((one) => ({ seat, ...one })));
      expect(new Set(sold.map(({ impid }) => impid)).size).toBe(sold.length);
      for (const { seat, impid, price } of sold) {
        const { parts } = scripts[partners.findIndex(({ name }) => name === seat)]!;
        const bids = parts.flatMap((part) => part.bids).filter((bid) => bid.impid === impid);
        const prices = bids.map((bid) => bid.price).filter((value) => typeof value === 'number' && value <= 100_000);
        expect(price).toBeLessThanOrEqual(Math.max(...(prices as number[])));
        expect(price).toBeGreaterThanOrEqual(floors[Number(impid.at(-1)) - 1]!);
      }
    });
  });

  test('what leaves does not depend on who answers first', async () => {
    const anyBids = fc.array(fc.array(anyBid, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 });
    const anyRace = anyBids.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
    );
    fc.assert(
      fc.property(anyRace, anyTerms, ([all, order], { floors, type }) => {
        const race = (sequence: Iterable<number>) => {
          const partners = all.map((_, index) => new FakePartner(`partner-${index}`));
          const { results } = start(partners, { floors, type });
          for (const index of sequence) partners[index]!.bids(...all[index]!);
          return results[0]!.seatbid;
        };
        expect(race(order)).toEqual(race(all.keys()));
      }),
      { numRuns: 1_000 },
    );
  });
});
