/** Whole auctions among fake partners: the winners, the reports and the counts of bids. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { AuctionType } from '../../src/auction/pick-winner.ts';
import { type AuctionResult, createRunAuction } from '../../src/auction/run-auction.ts';
import type { UncheckedBid } from '../../src/demand/adapter.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { adm, asPartners, auctionOf, bidOf, FakePartner, inUsd } from './fakes.ts';
import { numRuns } from '../support/num-runs.ts';

const [softMs, hardMs] = [150, 480];

beforeEach(() => void jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

async function advanceTo(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms - jest.now());
  await nextTurn();
}

interface Options {
  floors?: number[];
  type?: AuctionType;
  test?: boolean;
}

/** Starts an auction; `result` resolves when it has ended. */
function start(partners: readonly FakePartner[], { floors = [0.25], type = 1, test = false }: Options = {}) {
  const called: [name: string, result: PartnerResult][] = [];
  const counted: [name: string, result: string][] = [];
  const runAuction = createRunAuction(asPartners(partners), () => jest.now(), {
    partner: (name, result) => called.push([name, result]),
    bid: (name, result) => counted.push([name, result]),
  });
  const deadline = { softAtMs: jest.now() + softMs, hardAtMs: jest.now() + hardMs };
  return { result: runAuction(auctionOf(...floors), { type, test, deadline, ...inUsd }), called, counted };
}

const bidding = (name: string, ...bids: UncheckedBid[]) => new FakePartner(name).respondsImmediately('bid', ...bids);
const winners = ({ seatbid }: AuctionResult) =>
  seatbid.flatMap(({ seat, bid }) => bid.map(({ impid, price }) => [seat, impid, price]));

describe('the response', () => {
  test('has one seatbid per partner, with all the impressions that it won', async () => {
    const { result } = start(
      [
        bidding('a', bidOf(1), bidOf(3, { impid: 'imp-3' })),
        bidding('b', bidOf(2), bidOf(2, { impid: 'imp-2' }), bidOf(2, { impid: 'imp-3' })),
        bidding('c', bidOf(0.5)),
      ],
      { floors: [0, 0, 0] },
    );
    expect(winners(await result)).toEqual([
      ['a', 'imp-3', 3],
      ['b', 'imp-1', 2],
      ['b', 'imp-2', 2],
    ]);
    expect((await result).seatbid).toHaveLength(2);
  });

  test('has the price of the auction type', async () => {
    const partners = () => [bidding('a', bidOf(3)), bidding('b', bidOf(2))];
    expect(winners(await start(partners(), { type: 1 }).result)).toEqual([['a', 'imp-1', 3]]);
    expect(winners(await start(partners(), { type: 2 }).result)).toEqual([['a', 'imp-1', 2.01]]);
  });

  test('is empty if no partner bids', async () => {
    const { result } = start([new FakePartner('a').respondsImmediately('no_bid')]);
    expect((await result).seatbid).toEqual([]);
  });

  test('has the known members that the partner sent, and no others', async () => {
    const notices = { nurl: 'https://a.example/won?p=${AUCTION_PRICE}', burl: 'https://a.example/bill', exp: 300 };
    const more = { adomain: ['a.example'], crid: 'c1', cid: 'campaign', cat: ['IAB1'] };
    const { result } = start([bidding('a', { ...bidOf(1, { ...notices, ...more }), ext: { x: 1 } })]);
    expect((await result).seatbid[0]!.bid).toEqual([
      { id: 'bid-1', impid: 'imp-1', price: 1, adm, mtype: 4, ...notices, ...more },
    ]);
  });

  test('always has an id and a crid, and omits members of a wrong type', async () => {
    const wrong = { id: 7, nurl: 1, burl: {}, adomain: 'a.example', crid: null, cid: [], cat: [1], exp: '300' };
    const { result } = start([bidding('a', bidOf(1, wrong))]);
    const [bid] = (await result).seatbid[0]!.bid;
    expect(bid).toEqual({ id: expect.any(String), impid: 'imp-1', price: 1, adm, crid: expect.any(String), mtype: 4 });
    expect([bid!.id, bid!.crid]).not.toContain('');
  });
});

describe('the counts', () => {
  test('of two bids of a partner on one impression, the lower one is lost, in either order', async () => {
    const { result, counted } = start([bidding('a', bidOf(1), bidOf(2))]);
    expect(winners(await result)).toEqual([['a', 'imp-1', 2]]);
    expect(counted).toEqual([
      ['a', 'lost'],
      ['a', 'won'],
    ]);
  });

  test('of a dropped bid have its reason, and the report has its impression', async () => {
    const { result, counted } = start([bidding('a', bidOf(0.1), bidOf(1, { impid: 9 }))]);
    expect((await result).reports()).toEqual([
      {
        name: 'a',
        outcome: 'bid',
        startMs: 0,
        durationMs: 0,
        deadlineMs: 150,
        bids: 2,
        rejected: [
          { reason: 'below_floor', detail: 'price 0.1 USD is below the floor of 0.25 USD', impid: 'imp-1' },
          { reason: 'unknown_imp', detail: 'no impression 9 is up for auction', impid: '' },
        ],
        lost: [],
      },
    ]);
    expect(counted.map(([, verdict]) => verdict)).toEqual(['below_floor', 'unknown_imp']);
  });

  test('of bids whose markup together has more than 25,000 objects and arrays: the last ones are invalid', async () => {
    const ext = Array.from({ length: 97 }, () => ({}));
    const large = bidOf(1, { adm: JSON.stringify({ ...(JSON.parse(adm) as object), ext }) });
    const { result, counted } = start([bidding('a', ...Array.from({ length: 260 }, () => large))]);
    await result;
    const verdicts = counted.map(([, verdict]) => verdict);
    expect(verdicts.filter((verdict) => verdict === 'invalid_native')).toHaveLength(18);
    expect(verdicts.filter((verdict) => verdict === 'lost')).toHaveLength(241);
  });

  test('of a dropped bid with a long impid have its first 64 characters', async () => {
    const { result } = start([bidding('a', bidOf(1, { impid: 'x'.repeat(100_000) }))]);
    expect((await result).reports()[0]!.rejected).toMatchObject([{ reason: 'unknown_imp', impid: 'x'.repeat(64) }]);
  });

  test('do not include a response that arrives after the end', async () => {
    const slow = new FakePartner('slow');
    const { result, called, counted } = start([bidding('a', bidOf(1)), slow]);
    await advanceTo(softMs);
    slow.bids(bidOf(9));
    await advanceTo(1_000);
    expect(winners(await result)).toEqual([['a', 'imp-1', 1]]);
    const detail = `It had not responded when the auction ended after ${softMs} ms.`;
    expect((await result).reports()[1]).toMatchObject({ name: 'slow', outcome: 'late', detail, bids: 0, rejected: [] });
    expect(counted).toEqual([['a', 'won']]);
    expect(called).toEqual([
      ['a', 'bid'],
      ['slow', 'late'],
    ]);
  });
});

describe('a test auction', () => {
  test('runs among the partners that take test traffic, and is not counted', async () => {
    const live = bidding('live', bidOf(9));
    const sandbox = new FakePartner('sandbox', { test: true }).respondsImmediately('bid', bidOf(1), bidOf(0.1));
    const { result, called, counted } = start([live, sandbox], { test: true });
    expect(winners(await result)).toEqual([['sandbox', 'imp-1', 1]]);
    expect((await result).reports().map(({ name }) => name)).toEqual(['sandbox']);
    expect(live.requests).toEqual([]);
    expect([...called, ...counted]).toEqual([]);
  });

  test('ends immediately if no partner takes test traffic', async () => {
    const { seatbid, reports } = await start([bidding('live', bidOf(9))], { test: true }).result;
    expect([seatbid, reports()]).toEqual([[], []]);
  });

  test('does not keep a partner that takes test traffic out of live auctions', async () => {
    const both = new FakePartner('both', { test: true }).respondsImmediately('bid', bidOf(1));
    const { result, counted } = start([both]);
    await result;
    expect(counted).toEqual([['both', 'won']]);
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

/** The calls of one partner: when each responds and with which bids. A partner that hangs has one more. */
interface Script {
  test: boolean;
  responses: { atMs: number; bids: UncheckedBid[] }[];
  hangs: boolean;
}

const times = [0, 1, 50, softMs - 1, softMs + 1, 300, hardMs - 1, hardMs + 1, 600];
const anyScript: fc.Arbitrary<Script> = fc.record({
  test: fc.boolean(),
  responses: fc.array(fc.record({ atMs: fc.constantFrom(...times), bids: fc.array(anyBid, { maxLength: 4 }) }), {
    maxLength: 3,
  }),
  hangs: fc.boolean(),
});
const anyTerms = fc.record({
  floors: fc.tuple(fc.constantFrom(0, 0.25), fc.constantFrom(0, 0.5)),
  type: fc.constantFrom<AuctionType>(1, 2),
  test: fc.boolean(),
});

/** Runs the scripts to their end. The `sent` of a partner is the number of bids it sent before the auction ended. */
async function play(scripts: readonly Script[], terms: Required<Options>) {
  jest.setSystemTime(0);
  const partners = scripts.map(
    ({ test, responses, hangs }, index) =>
      new FakePartner(`partner-${index}`, { test, calls: responses.length + (hangs ? 1 : 0) }),
  );
  const started = start(partners, terms);
  for (const time of times) {
    await advanceTo(time);
    for (const [index, { responses }] of scripts.entries()) {
      for (const [call, { atMs, bids }] of responses.entries()) {
        if (atMs === time) partners[index]!.respond(bids.length > 0 ? 'bid' : 'no_bid', bids, call);
      }
      await nextTurn();
    }
  }
  return { scripts, partners, ...started, result: await started.result };
}

const check = (holds: (played: Awaited<ReturnType<typeof play>>, terms: Required<Options>) => void) =>
  fc.assert(
    fc.asyncProperty(fc.array(anyScript, { maxLength: 5 }), anyTerms, async (scripts, terms) => {
      holds(await play(scripts, terms), terms);
    }),
    { numRuns: 400 },
  );

describe('for all auctions', () => {
  test('every bid of a partner is counted exactly once', async () => {
    await check(({ partners, result, counted }, { test }) => {
      const reports = new Map(result.reports().map((report) => [report.name, report]));
      for (const { name, sent } of partners) {
        const own = counted.filter(([partner]) => partner === name).map(([, verdict]) => verdict);
        expect(own).toHaveLength(test ? 0 : sent);
        expect(reports.get(name)?.bids ?? 0).toBe(sent);
        if (test) continue;
        const won = result.seatbid.find(({ seat }) => seat === name)?.bid ?? [];
        expect(own.filter((verdict) => verdict === 'won')).toHaveLength(won.length);
        const dropped = own.filter((verdict) => verdict !== 'won' && verdict !== 'lost');
        const rejected = reports.get(name)!.rejected.map(({ reason }) => reason);
        expect(dropped.sort()).toEqual(rejected.sort());
      }
    });
  });

  test('every partner called is counted once, and in a test auction none', async () => {
    await check(({ partners, result, called }, { test }) => {
      const outcomes = result.reports().map(({ name, outcome }) => [name, outcome]);
      expect(called).toEqual(test ? [] : outcomes);
      const expected = partners.filter((partner) => !test || partner.test);
      expect(outcomes.map(([name]) => name)).toEqual(expected.map(({ name }) => name));
      expect(partners.filter((partner) => partner.requests.length > 0)).toEqual(expected);
    });
  });

  test('each impression is sold at most once, at its floor or above, and not above the bid of its buyer', async () => {
    await check(({ scripts, partners, result }, { floors }) => {
      const sold = result.seatbid.flatMap(({ seat, bid }) => bid.map((one) => ({ seat, ...one })));
      expect(new Set(sold.map(({ impid }) => impid)).size).toBe(sold.length);
      for (const { seat, impid, price } of sold) {
        const { responses } = scripts[partners.findIndex(({ name }) => name === seat)]!;
        const bids = responses.flatMap((response) => response.bids).filter((bid) => bid.impid === impid);
        const prices = bids.map((bid) => bid.price).filter((value) => typeof value === 'number' && value <= 100_000);
        expect(price).toBeLessThanOrEqual(Math.max(...(prices as number[])));
        expect(price).toBeGreaterThanOrEqual(floors[Number(impid.at(-1)) - 1]!);
      }
    });
  });

  test('the result does not depend on which partner responds first', async () => {
    const anyBids = fc.array(fc.array(anyBid, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 });
    const anyRace = anyBids.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(anyRace, anyTerms, async ([all, order], { floors, type }) => {
        const race = async (sequence: Iterable<number>) => {
          const partners = all.map((_, index) => new FakePartner(`partner-${index}`));
          const { result } = start(partners, { floors, type });
          for (const index of sequence) partners[index]!.bids(...all[index]!);
          return (await result).seatbid;
        };
        expect(await race(order)).toEqual(await race(all.keys()));
      }),
      { numRuns: numRuns(1_000) },
    );
  });
});
