/** The winner and its price: properties for all bids, floors and orders, and a few examples. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuctionType, pickWinner, type Candidate } from '../../src/auction/pick-winner.ts';
import { numRuns } from '../support/num-runs.ts';

interface PlainBid {
  priceMicros: number;
}

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
const anyCandidate: fc.Arbitrary<Candidate<PlainBid>> = fc.record({
  rank: fc.integer({ min: 0, max: 4 }),
  bid: fc.record({ priceMicros: anyPrice }),
});
const anyCandidates = fc.array(anyCandidate, { maxLength: 12 });
const anyType = fc.constantFrom<AuctionType>(1, 2);

const check = (property: fc.IProperty<[Candidate<PlainBid>[], number, AuctionType]>) =>
  fc.assert(property, { numRuns: numRuns(5_000) });
const forAll = (predicate: (candidates: Candidate<PlainBid>[], floorMicros: number, type: AuctionType) => void) =>
  check(fc.property(anyCandidates, anyFloor, anyType, predicate));

/** The members of a winner that the tests compare. */
const summary = (winner: ReturnType<typeof pickWinner<PlainBid>>) =>
  winner && { rank: winner.candidate.rank, bid: winner.candidate.bid.priceMicros, pays: winner.priceMicros };

describe('for all auctions', () => {
  test('there is a winner if and only if a bid reaches the floor', () => {
    forAll((candidates, floorMicros, type) => {
      const reached = candidates.some(({ bid }) => bid.priceMicros >= floorMicros);
      expect(pickWinner(candidates, floorMicros, type) !== undefined).toBe(reached);
    });
  });

  test('no bid below the floor wins, and no price is below it', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner) return;
      expect(winner.candidate.bid.priceMicros).toBeGreaterThanOrEqual(floorMicros);
      expect(winner.priceMicros).toBeGreaterThanOrEqual(floorMicros);
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

  test('the winner is the candidate with the highest bid; among equal bids the lowest rank wins', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner) return;
      const highest = Math.max(...candidates.map(({ bid }) => bid.priceMicros));
      const ranks = candidates.filter(({ bid }) => bid.priceMicros === highest).map(({ rank }) => rank);
      expect(candidates).toContain(winner.candidate);
      expect(summary(winner)).toMatchObject({ rank: Math.min(...ranks), bid: highest });
    });
  });

  test('neither winner nor price depends on the order of arrival', () => {
    const anyTwoOrders = anyCandidates.chain((candidates) =>
      fc.tuple(fc.constant(candidates), fc.shuffledSubarray(candidates, { minLength: candidates.length })),
    );
    fc.assert(
      fc.property(anyTwoOrders, anyFloor, anyType, ([candidates, shuffled], floorMicros, type) => {
        expect(summary(pickWinner(shuffled, floorMicros, type))).toEqual(
          summary(pickWinner(candidates, floorMicros, type)),
        );
      }),
      { numRuns: numRuns(5_000) },
    );
  });

  test('the candidates are not modified', () => {
    forAll((candidates, floorMicros, type) => {
      const before = structuredClone(candidates);
      pickWinner(candidates, floorMicros, type);
      expect(candidates).toEqual(before);
    });
  });
});

describe('the price for all auctions', () => {
  test('of a first-price auction is the bid', () => {
    forAll((candidates, floorMicros) => {
      const winner = pickWinner(candidates, floorMicros, 1);
      expect(winner?.priceMicros).toBe(winner?.candidate.bid.priceMicros);
    });
  });

  test('of a second-price auction is one cent above the highest bid of another partner, within floor and bid', () => {
    forAll((candidates, floorMicros) => {
      const winner = pickWinner(candidates, floorMicros, 2);
      if (!winner) return;
      const { rank, bid } = winner.candidate;
      const valid = candidates.filter((candidate) => candidate.bid.priceMicros >= floorMicros);
      const others = valid.filter((candidate) => candidate.rank !== rank).map((candidate) => candidate.bid.priceMicros);
      const withoutOthers = floorMicros === 0 ? cent : floorMicros;
      const clearing = others.length > 0 ? Math.max(Math.max(...others) + cent, floorMicros) : withoutOthers;
      expect(winner.priceMicros).toBe(Math.min(clearing, bid.priceMicros));
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
const candidatesOf = (...partners: number[][]): Candidate<PlainBid>[] =>
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
