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
const anyRival: fc.Arbitrary<Candidate<PlainBid>> = fc.record({
  rank: fc.integer({ min: 0, max: 4 }),
  bid: fc.record({ priceMicros: anyPrice }),
});
const anyRivals = fc.array(anyRival, { maxLength: 12 });
const anyType = fc.constantFrom<AuctionType>(1, 2);

const check = (property: fc.IProperty<[Candidate<PlainBid>[], number, AuctionType]>) =>
  fc.assert(property, { numRuns: 5_000 });
const forAll = (predicate: (rivals: Candidate<PlainBid>[], floorMicros: number, type: AuctionType) => void) =>
  check(fc.property(anyRivals, anyFloor, anyType, predicate));

/** A winner told apart from the rest by who it is and what it pays. */
const summary = (winner: ReturnType<typeof pickWinner<PlainBid>>) =>
  winner && { rank: winner.rival.rank, bid: winner.rival.bid.priceMicros, pays: winner.priceMicros };

describe('for all auctions', () => {
  test('somebody wins exactly where somebody reaches the floor', () => {
    forAll((rivals, floorMicros, type) => {
      const reached = rivals.some(({ bid }) => bid.priceMicros >= floorMicros);
      expect(pickWinner(rivals, floorMicros, type) !== undefined).toBe(reached);
    });
  });

  test('no bid below the floor wins, and no price is below it', () => {
    forAll((rivals, floorMicros, type) => {
      const winner = pickWinner(rivals, floorMicros, type);
      if (!winner) return;
      expect(winner.rival.bid.priceMicros).toBeGreaterThanOrEqual(floorMicros);
      expect(winner.priceMicros).toBeGreaterThanOrEqual(floorMicros);
    });
  });

  test('the price is above zero, whole micros, and at most what the winner bid', () => {
    forAll((rivals, floorMicros, type) => {
      const winner = pickWinner(rivals, floorMicros, type);
      if (!winner) return;
      expect(Number.isInteger(winner.priceMicros)).toBe(true);
      expect(winner.priceMicros).toBeGreaterThan(0);
      expect(winner.priceMicros).toBeLessThanOrEqual(winner.rival.bid.priceMicros);
    });
  });

  test('the winner is one of the rivals, bid the most, and is listed first among those who did', () => {
    forAll((rivals, floorMicros, type) => {
      const winner = pickWinner(rivals, floorMicros, type);
      if (!winner) return;
      const most = Math.max(...rivals.map(({ bid }) => bid.priceMicros));
      const whoDid = rivals.filter(({ bid }) => bid.priceMicros === most).map(({ rank }) => rank);
      expect(rivals).toContain(winner.rival);
      expect(summary(winner)).toMatchObject({ rank: Math.min(...whoDid), bid: most });
    });
  });

  test('neither winner nor price depends on the order of arrival', () => {
    const anyTwoOrders = anyRivals.chain((rivals) =>
      fc.tuple(fc.constant(rivals), fc.shuffledSubarray(rivals, { minLength: rivals.length })),
    );
    fc.assert(
      fc.property(anyTwoOrders, anyFloor, anyType, ([rivals, shuffled], floorMicros, type) => {
        expect(summary(pickWinner(shuffled, floorMicros, type))).toEqual(
          summary(pickWinner(rivals, floorMicros, type)),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  test('the rivals are left as they were', () => {
    forAll((rivals, floorMicros, type) => {
      const before = structuredClone(rivals);
      pickWinner(rivals, floorMicros, type);
      expect(rivals).toEqual(before);
    });
  });
});

describe('the price for all auctions', () => {
  test('of a first-price auction is the bid', () => {
    forAll((rivals, floorMicros) => {
      const winner = pickWinner(rivals, floorMicros, 1);
      expect(winner?.priceMicros).toBe(winner?.rival.bid.priceMicros);
    });
  });

  test('of a second-price auction is a cent above the best of another partner, within floor and own bid', () => {
    forAll((rivals, floorMicros) => {
      const winner = pickWinner(rivals, floorMicros, 2);
      if (!winner) return;
      const { rank, bid } = winner.rival;
      const valid = rivals.filter((rival) => rival.bid.priceMicros >= floorMicros);
      const others = valid.filter((rival) => rival.rank !== rank).map((rival) => rival.bid.priceMicros);
      const lone = floorMicros === 0 ? cent : floorMicros;
      const asked = others.length > 0 ? Math.max(Math.max(...others) + cent, floorMicros) : lone;
      expect(winner.priceMicros).toBe(Math.min(asked, bid.priceMicros));
    });
  });

  test('of a second-price auction is never above that of a first-price auction, for the same winner', () => {
    forAll((rivals, floorMicros) => {
      const first = pickWinner(rivals, floorMicros, 1);
      const second = pickWinner(rivals, floorMicros, 2);
      expect(second?.rival).toBe(first?.rival);
      if (first && second) expect(second.priceMicros).toBeLessThanOrEqual(first.priceMicros);
    });
  });
});

/** Bids in dollars, each partner's in a list of its own, in the order of the partners file. */
const rivalsOf = (...partners: number[][]): Candidate<PlainBid>[] =>
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
    const winner = pickWinner(rivalsOf(...partners), floor * dollar, type);
    const told = winner && { rank: winner.rival.rank, pays: winner.priceMicros / dollar };
    expect(told).toEqual(expected);
  });
});
