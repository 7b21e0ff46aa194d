/** The winner and its price: properties for all bids, floors and orders, and a few examples. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuctionType, pickWinner, type Candidate, type PricedBid } from '../../src/auction/pick-winner.ts';
import { numRuns } from '../support/num-runs.ts';

const dollar = 1_000_000;
const cent = 10_000;

/** Few distinct prices, so that ties, bids at the floor and bids less than a cent apart are common. */
const anyPrice = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -2, max: 2 })).map(([cents, off]) => cents * cent + off),
  fc.constantFrom(1, dollar, 100_000 * dollar),
);
const anyFloor = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 12 }).map((cents) => cents * cent),
);
const anyDeal = fc.record({ floorMicros: anyFloor, at: fc.constantFrom(1, 2, 3, undefined) });
const anyCandidate: fc.Arbitrary<Candidate<PricedBid>> = fc.record({
  rank: fc.integer({ min: 0, max: 4 }),
  bid: fc.record({ priceMicros: anyPrice, deal: fc.option(anyDeal, { nil: undefined, freq: 2 }) }),
});
const anyCandidates = fc.array(anyCandidate, { maxLength: 12 });
const anyType = fc.constantFrom<AuctionType>(1, 2);

const check = (property: fc.IProperty<[Candidate<PricedBid>[], number, AuctionType]>) =>
  fc.assert(property, { numRuns: numRuns(5_000) });
const forAll = (predicate: (candidates: Candidate<PricedBid>[], floorMicros: number, type: AuctionType) => void) =>
  check(fc.property(anyCandidates, anyFloor, anyType, predicate));

/** The members of a winner that the tests compare. */
const summary = (winner: ReturnType<typeof pickWinner<PricedBid>>) =>
  winner && { rank: winner.candidate.rank, bid: winner.candidate.bid, pays: winner.priceMicros };

const floorOf = ({ bid }: Candidate<PricedBid>, floorMicros: number) =>
  Math.max(bid.deal?.floorMicros ?? 0, floorMicros);

/** The candidates that reach the floor in force for them. */
const eligible = (candidates: readonly Candidate<PricedBid>[], floorMicros: number) =>
  candidates.filter((candidate) => candidate.bid.priceMicros >= floorOf(candidate, floorMicros));

describe('for all auctions', () => {
  test('there is a winner if and only if a bid reaches the floor in force', () => {
    forAll((candidates, floorMicros, type) => {
      const reached = eligible(candidates, floorMicros).length > 0;
      expect(pickWinner(candidates, floorMicros, type) !== undefined).toBe(reached);
    });
  });

  test('no price is below the floor in force: the higher of the floors of deal and impression', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (winner) expect(winner.priceMicros).toBeGreaterThanOrEqual(floorOf(winner.candidate, floorMicros));
    });
  });

  test('the price is above zero, whole micros, and at most what the winner bid', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner) return;
      expect(Number.isInteger(winner.priceMicros)).toBe(true);
      expect(winner.priceMicros).toBeGreaterThan(0);
      expect(winner.priceMicros).toBeLessThanOrEqual(winner.candidate.bid.priceMicros);
    });
  });

  test('the winner is the candidate with the highest bid; among equal bids one with a deal, then the lowest rank', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner) return;
      const valid = eligible(candidates, floorMicros);
      const highest = Math.max(...valid.map(({ bid }) => bid.priceMicros));
      const best = valid.filter(({ bid }) => bid.priceMicros === highest);
      const withDeal = best.filter(({ bid }) => bid.deal);
      const ranks = (withDeal.length > 0 ? withDeal : best).map(({ rank }) => rank);
      expect(candidates).toContain(winner.candidate);
      expect(winner.candidate.bid.deal !== undefined).toBe(withDeal.length > 0);
      expect(summary(winner)).toMatchObject({ rank: Math.min(...ranks), bid: { priceMicros: highest } });
    });
  });

  test('neither winner nor price depends on which partner responds first', () => {
    fc.assert(
      fc.property(
        anyCandidates,
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        anyFloor,
        anyType,
        (...args) => {
          const [candidates, partners, floorMicros, type] = args;
          const reordered = partners.flatMap((partner) => candidates.filter(({ rank }) => rank === partner));
          expect(summary(pickWinner(reordered, floorMicros, type))).toEqual(
            summary(pickWinner(candidates, floorMicros, type)),
          );
        },
      ),
      { numRuns: numRuns(5_000) },
    );
  });

  test('without a losing bid the winner is the same, and its price is not higher', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      for (const loser of candidates) {
        if (!winner || loser === winner.candidate) continue;
        const others = candidates.filter((candidate) => candidate !== loser);
        const again = pickWinner(others, floorMicros, type);
        expect(again?.candidate).toBe(winner.candidate);
        expect(again!.priceMicros).toBeLessThanOrEqual(winner.priceMicros);
      }
    });
  });

  test('the candidates are not modified', () => {
    forAll((candidates, floorMicros, type) => {
      const before = structuredClone(candidates);
      pickWinner(candidates, floorMicros, type);
      expect(candidates).toEqual(before);
    });
  });
});

/** The type of the winner's price: that of its deal, else that of the auction. */
const priceTypeOf = ({ bid }: Candidate<PricedBid>, type: AuctionType) => bid.deal?.at ?? type;

describe('the price for all auctions', () => {
  test('of a first-price auction or deal is the bid', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner || priceTypeOf(winner.candidate, type) !== 1) return;
      expect(winner.priceMicros).toBe(winner.candidate.bid.priceMicros);
    });
  });

  test('of a second-price auction or deal is one cent above the highest bid of another partner, within floor and bid', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner || priceTypeOf(winner.candidate, type) !== 2) return;
      const { rank, bid } = winner.candidate;
      const floor = floorOf(winner.candidate, floorMicros);
      const others = eligible(candidates, floorMicros).filter((candidate) => candidate.rank !== rank);
      const second = Math.max(0, ...others.map((other) => other.bid.priceMicros));
      const clearing = Math.max(second > 0 ? second + cent : 0, floor === 0 ? cent : floor);
      expect(winner.priceMicros).toBe(Math.min(clearing, bid.priceMicros));
    });
  });

  test('of a fixed-price deal is its floor, or the one of the impression if that is higher', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner || priceTypeOf(winner.candidate, type) !== 3) return;
      const floor = floorOf(winner.candidate, floorMicros);
      if (floor > 0) expect(winner.priceMicros).toBe(floor);
    });
  });

  test('of a second-price auction is never above that of a first-price auction, for the same winner', () => {
    forAll((candidates, floorMicros) => {
      const first = pickWinner(candidates, floorMicros, 1);
      const second = pickWinner(candidates, floorMicros, 2);
      expect(second?.candidate).toBe(first?.candidate);
      if (first && second) expect(second.priceMicros).toBeLessThanOrEqual(first.priceMicros);
    });
  });
});

/** Bids in dollars, one list per partner, in the order of the partners file. */
const candidatesOf = (...partners: number[][]): Candidate<PricedBid>[] =>
  partners.flatMap((bids, rank) => bids.map((price) => ({ rank, bid: { priceMicros: price * dollar } })));

describe('examples', () => {
  test.each<[string, AuctionType, number, number[][], { rank: number; pays: number } | undefined]>([
    ['no bids', 1, 0, [], undefined],
    ['no bid reaches the floor', 2, 1, [[0.5], [0.75]], undefined],
    ['first price: the highest bid is paid', 1, 0.5, [[1], [3], [2]], { rank: 1, pays: 3 }],
    ['second price: the second-highest bid plus one cent is paid', 2, 0.5, [[1], [3], [2]], { rank: 1, pays: 2.01 }],
    [
      'second price: the second-highest bid is below the floor, so the floor is paid',
      2,
      1.5,
      [[1], [3]],
      { rank: 1, pays: 1.5 },
    ],
    ['second price: the second-highest bid is at the floor', 2, 1.5, [[1.5], [3]], { rank: 1, pays: 1.51 }],
    [
      'second price: the bids differ by less than one cent, so the bid is paid',
      2,
      0,
      [[2.995], [3]],
      { rank: 1, pays: 3 },
    ],
    ['second price: in a tie the first partner wins and pays its bid', 2, 0, [[1], [3], [3]], { rank: 1, pays: 3 }],
    ['second price: a partner does not compete with itself', 2, 0, [[3, 2.5], [2]], { rank: 0, pays: 2.01 }],
    ['second price: a lone bid pays the floor', 2, 0.25, [[3]], { rank: 0, pays: 0.25 }],
    ['second price: a lone bid pays one cent if there is no floor', 2, 0, [[3]], { rank: 0, pays: 0.01 }],
    ['second price: a lone partner with two bids pays one cent', 2, 0, [[3, 2]], { rank: 0, pays: 0.01 }],
    ['second price: a lone bid below one cent pays its price', 2, 0, [[0.004]], { rank: 0, pays: 0.004 }],
  ])('%s', (_name, type, floor, partners, expected) => {
    const winner = pickWinner(candidatesOf(...partners), floor * dollar, type);
    const actual = winner && { rank: winner.candidate.rank, pays: winner.priceMicros / dollar };
    expect(actual).toEqual(expected);
  });
});

interface DealExample {
  type: AuctionType;
  floor: number;
  /** One bid per partner, in dollars; with a deal if the last two are given: its floor and its type. */
  bids: [price: number, dealFloor?: number, at?: 1 | 2 | 3][];
  expected: { rank: number; pays: number } | undefined;
}

describe('deals', () => {
  test.each<[string, DealExample]>([
    ['first price: the bid is paid', { type: 2, floor: 0, bids: [[3, 1, 1], [2]], expected: { rank: 0, pays: 3 } }],
    [
      'second price: the second-highest bid plus one cent is paid',
      { type: 1, floor: 0, bids: [[3, 1, 2], [2]], expected: { rank: 0, pays: 2.01 } },
    ],
    [
      'second price: the floor of the deal is paid if no other bid reaches it',
      { type: 1, floor: 0.5, bids: [[3, 2.5, 2], [2]], expected: { rank: 0, pays: 2.5 } },
    ],
    [
      'second price: the floor of the impression is paid if it is higher',
      { type: 1, floor: 2.75, bids: [[3, 2.5, 2]], expected: { rank: 0, pays: 2.75 } },
    ],
    [
      'fixed price: the floor of the deal is paid, whatever others bid',
      { type: 2, floor: 0.5, bids: [[3, 1.5, 3], [2.9]], expected: { rank: 0, pays: 1.5 } },
    ],
    [
      'fixed price: the floor of the impression is paid if it is higher',
      { type: 1, floor: 2, bids: [[3, 1.5, 3]], expected: { rank: 0, pays: 2 } },
    ],
    [
      'no type, first price: the bid is paid',
      { type: 1, floor: 0, bids: [[3, 1], [2]], expected: { rank: 0, pays: 3 } },
    ],
    [
      'no type, second price: the second-highest bid plus one cent is paid',
      { type: 2, floor: 0, bids: [[3, 1], [2]], expected: { rank: 0, pays: 2.01 } },
    ],
    ['a higher open bid wins', { type: 1, floor: 0, bids: [[2, 1, 3], [2.01]], expected: { rank: 1, pays: 2.01 } }],
    ['on equal price the deal wins', { type: 1, floor: 0, bids: [[2], [2, 1]], expected: { rank: 1, pays: 2 } }],
    [
      'on equal price the first partner with a deal wins',
      { type: 1, floor: 0, bids: [[2], [2, 1], [2, 1.5]], expected: { rank: 1, pays: 2 } },
    ],
    [
      'an open bid pays one cent more than a lower bid with a deal',
      { type: 2, floor: 0, bids: [[2, 1, 3], [3]], expected: { rank: 1, pays: 2.01 } },
    ],
    ['a bid below the floor of its deal does not win', { type: 1, floor: 0, bids: [[2, 2.01]], expected: undefined }],
  ])('%s', (_name, { type, floor, bids, expected }) => {
    const candidates = bids.map(([price, dealFloor, at], rank) => {
      const deal = dealFloor === undefined ? undefined : { floorMicros: dealFloor * dollar, at };
      return { rank, bid: { priceMicros: price * dollar, deal } };
    });
    const winner = pickWinner(candidates, floor * dollar, type);
    expect(winner && { rank: winner.candidate.rank, pays: winner.priceMicros / dollar }).toEqual(expected);
  });
});
