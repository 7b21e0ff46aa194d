/** Who wins and at what price: what holds for all bids, floors and orders, and a few auctions written out. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuctionType, pickWinner, type Candidate } from '../../src/auction/pick-winner.ts';

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
  fc.assert(property, { numRuns: 5_000 });
const forAll = (predicate: (candidates: Candidate<PlainBid>[], floorMicros: number, type: AuctionType) => void) =>
  check(fc.property(anyCandidates, anyFloor, anyType, predicate));

/** A winner told apart from the rest by who it is and what it pays. */
const summary = (winner: ReturnType<typeof pickWinner<PlainBid>>) =>
  winner && { rank: winner.candidate.rank, bid: winner.candidate.bid.priceMicros, pays: winner.priceMicros };

describe('for all auctions', () => {
  test('somebody wins exactly where somebody reaches the floor', () => {
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

  test('the winner is one of the candidates, bid the most, and is listed first among those who did', () => {
    forAll((candidates, floorMicros, type) => {
      const winner = pickWinner(candidates, floorMicros, type);
      if (!winner) return;
      const most = Math.max(...candidates.map(({ bid }) => bid.priceMicros));
      const whoDid = candidates.filter(({ bid }) => bid.priceMicros === most).map(({ rank }) => rank);
      expect(candidates).toContain(winner.candidate);
      expect(summary(winner)).toMatchObject({ rank: Math.min(...whoDid), bid: most });
    });
  });

  test('neither winner nor price depends on the order of arcandidate', () => {
    const anyTwoOrders = anyCandidates.chain((candidates) =>
      fc.tuple(fc.constant(candidates), fc.shuffledSubarray(candidates, { minLength: candidates.length })),
    );
    fc.assert(
      fc.property(anyTwoOrders, anyFloor, anyType, ([candidates, shuffled], floorMicros, type) => {
        expect(summary(pickWinner(shuffled, floorMicros, type))).toEqual(
          summary(pickWinner(candidates, floorMicros, type)),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  test('the candidates are left as they were', () => {
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

  test('of a second-price auction is a cent above the best of another partner, within floor and own bid', () => {
    forAll((candidates, floorMicros) => {
      const winner = pickWinner(candidates, floorMicros, 2);
      if (!winner) return;
      const { rank, bid } = winner.candidate;
      const valid = candidates.filter((candidate) => candidate.bid.priceMicros >= floorMicros);
      const others = valid.filter((candidate) => candidate.rank !== rank).map((candidate) => candidate.bid.priceMicros);
      const lone = floorMicros === 0 ? cent : floorMicros;
      const asked = others.length > 0 ? Math.max(Math.max(...others) + cent, floorMicros) : lone;
      expect(winner.priceMicros).toBe(Math.min(asked, bid.priceMicros));
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

/** Bids in dollars, each partner's in a list of its own, in the order of the partners file. */
const candidatesOf = (...partners: number[][]): Candidate<PlainBid>[] =>
  partners.flatMap((bids, rank) => bids.map((price) => ({ rank, bid: { priceMicros: price * dollar } })));

describe('written out', () => {
  test.each<[string, AuctionType, number, number[][], { rank: number; pays: number } | undefined]>([
    ['nobody bids', 1, 0, [], undefined],
    ['nobody reaches the floor', 2, 1, [[0.5], [0.75]], undefined],
    ['first price: the highest bid is paid', 1, 0.5, [[1], [3], [2]], { rank: 1, pays: 3 }],
    ['second price: the next one and a cent', 2, 0.5, [[1], [3], [2]], { rank: 1, pays: 2.01 }],
    [
      'second price: the next one is below the floor, so the winner is alone',
      2,
      1.5,
      [[1], [3]],
      { rank: 1, pays: 1.5 },
    ],
    ['second price: the next one is at the floor', 2, 1.5, [[1.5], [3]], { rank: 1, pays: 1.51 }],
    ['second price: less than a cent apart', 2, 0, [[2.995], [3]], { rank: 1, pays: 3 }],
    ['second price: a tie is paid in full by the one listed first', 2, 0, [[1], [3], [3]], { rank: 1, pays: 3 }],
    ['second price: a partner does not compete with itself', 2, 0, [[3, 2.5], [2]], { rank: 0, pays: 2.01 }],
    ['second price: a lone bid pays the floor', 2, 0.25, [[3]], { rank: 0, pays: 0.25 }],
    ['second price: a lone bid pays a cent where there is no floor', 2, 0, [[3]], { rank: 0, pays: 0.01 }],
    ['second price: two bids of a lone partner pay a cent', 2, 0, [[3, 2]], { rank: 0, pays: 0.01 }],
    ['second price: a lone bid below a cent pays itself', 2, 0, [[0.004]], { rank: 0, pays: 0.004 }],
  ])('%s', (_name, type, floor, partners, expected) => {
    const winner = pickWinner(candidatesOf(...partners), floor * dollar, type);
    const told = winner && { rank: winner.candidate.rank, pays: winner.priceMicros / dollar };
    expect(told).toEqual(expected);
  });
});
