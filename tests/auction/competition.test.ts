/** What the auction log records of the competition. */
import { expect, test } from '@jest/globals';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import { asPartners, auctionOf, bidOf, FakePartner, inUsd } from './fakes.ts';

const bidding = (name: string, ...bids: ReturnType<typeof bidOf>[]) =>
  new FakePartner(name).respondsImmediately('bid', ...bids);
const without = (name: string, result: PartnerResult) => new FakePartner(name).respondsImmediately(result);

async function competition(partners: readonly FakePartner[], floors: number[] = [0.25]) {
  const recorder = { partner: () => {}, bid: () => {} };
  const run = createRunAuction(asPartners(partners), () => performance.now(), recorder);
  const now = performance.now();
  const deadline = { softAtMs: now + 10_000, hardAtMs: now + 10_000 };
  return (await run(auctionOf(...floors), { type: 1, test: false, deadline, ...inUsd })).competition();
}

test('the second price is the highest valid bid of another partner, per impression', async () => {
  const { secondMicros } = await competition(
    [
      bidding('a', bidOf(3), bidOf(2.9), bidOf(1, { impid: 'imp-2' })),
      bidding('b', bidOf(2), bidOf(1.5), bidOf(0.1)),
      bidding('c', bidOf(200_000), bidOf(4, { impid: 'unknown' })),
    ],
    [0.25, 0],
  );
  expect([...secondMicros]).toEqual([['imp-1', 2_000_000]]);
});

test('partners without a bid were called; skipped ones were not', async () => {
  const { partners, bids } = await competition([
    bidding('a', bidOf(1), bidOf(0.1)),
    without('b', 'no_bid'),
    without('c', 'skipped'),
    without('d', 'error'),
  ]);
  expect([partners, bids]).toEqual([['a', 'b', 'd'], 2]);
});
