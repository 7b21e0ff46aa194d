/** Whole auctions with deals and seller controls: what holds for every winner, whatever was offered and bid. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AuctionType } from '../../src/auction/pick-winner.ts';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import type { Auction, UncheckedBid } from '../../src/demand/adapter.ts';
import { usdOnly } from '../../src/money/rates.ts';
import type { BidRequest, Deal, Pmp } from '../../src/openrtb/bid-request.ts';
import { readBlockingLists } from '../../src/openrtb/blocking-lists.ts';
import { Deals } from '../../src/openrtb/deals.ts';
import { numRuns } from '../support/num-runs.ts';
import { asPartners, auctionOf, bidOf, FakePartner, inUsd } from './fakes.ts';

/** Few distinct values, so that bids often match, tie and meet a floor exactly. */
const anyPrice = fc.constantFrom(0.5, 1, 1.005, 1.01, 1.5, 2, 3);
const anyFloor = fc.constantFrom(0, 0.5, 1, 1.5);
const anySeat = fc.constantFrom('agency-1', 'agency-2');
const anyDomain = fc.constantFrom('shoes.example', 'trail.shoes.example', 'boots.example');
const anyCategory = fc.constantFrom('IAB1', 'IAB25', 'IAB25-3');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const listOf = <T>(arbitrary: fc.Arbitrary<T>) => maybe(fc.array(arbitrary, { maxLength: 2 }));

const anyDeal = fc.record({
  id: fc.constantFrom('deal-1', 'deal-2'),
  bidfloor: anyFloor,
  bidfloorcur: fc.constantFrom('USD', 'usd', 'EUR'),
  at: fc.constantFrom(1, 2, 3, undefined),
  wseat: listOf(anySeat),
  wadomain: listOf(anyDomain),
}) as fc.Arbitrary<Deal>;
const anyPmp = fc.record({
  private_auction: fc.constantFrom(0, 1),
  deals: fc.uniqueArray(anyDeal, { maxLength: 2, selector: ({ id }) => id }),
}) as fc.Arbitrary<Pmp>;
const anyLists = fc.record({
  badv: listOf(anyDomain),
  bcat: listOf(anyCategory),
  wseat: listOf(anySeat),
  bseat: listOf(anySeat),
}) as fc.Arbitrary<Partial<BidRequest>>;
const anyBid = fc.record({
  price: anyPrice,
  dealid: fc.constantFrom('deal-1', 'deal-2', 'deal-9', undefined),
  buyerSeat: fc.option(anySeat),
  adomain: fc.array(anyDomain, { maxLength: 2 }),
  cat: fc.array(anyCategory, { maxLength: 2 }),
});
type AnyBid = UncheckedBid & { price: number };

interface Sale {
  floor: number;
  pmp: Pmp | undefined;
  lists: Partial<BidRequest>;
  type: AuctionType;
  /** One bid per partner. */
  bids: AnyBid[];
}

const anySale: fc.Arbitrary<Sale> = fc.record({
  floor: anyFloor,
  pmp: fc.option(anyPmp, { nil: undefined }),
  lists: anyLists,
  type: fc.constantFrom<AuctionType>(1, 2),
  bids: fc.array(anyBid, { minLength: 1, maxLength: 5 }),
});

/** The bid that won and its price; undefined if none did. */
async function sell({ floor, pmp, lists, type, bids }: Sale): Promise<{ bid: AnyBid; price: number } | undefined> {
  const { request: plain, impressions, terms: partnerTerms } = auctionOf(floor);
  const request = { ...plain, ...lists };
  const controls = { ...(pmp && { deals: new Deals(pmp, usdOnly) }), lists: readBlockingLists(request)! };
  const auction: Auction = { request, impressions: [{ ...impressions[0]!, ...controls }], terms: partnerTerms };
  const partners = bids.map((bid, index) =>
    new FakePartner(`partner-${index}`).respondsImmediately('bid', { ...bidOf(bid.price, bid), id: `bid-${index}` }),
  );
  const runAuction = createRunAuction(asPartners(partners), () => 0, { partner: () => {}, bid: () => {} });
  const terms = { type, test: false, deadline: { softAtMs: 100, hardAtMs: 100 }, ...inUsd };
  const won = (await runAuction(auction, terms)).seatbid[0]?.bid[0];
  return won && { bid: bids[Number(won.id.slice('bid-'.length))]!, price: won.price };
}

const check = (holds: (sale: Sale, won: { bid: AnyBid; price: number }) => void | Promise<void>) =>
  fc.assert(
    fc.asyncProperty(anySale, async (sale) => {
      const won = await sell(sale);
      if (won) await holds(sale, won);
    }),
    { numRuns: numRuns(3_000) },
  );

const dealOf = ({ pmp }: Sale, { dealid }: AnyBid) => pmp?.deals?.find(({ id }) => id === dealid);

test('a winner pays at most its bid, and at least the higher of the floors of deal and impression', async () => {
  await check((sale, { bid, price }) => {
    expect(price).toBeLessThanOrEqual(bid.price);
    expect(price).toBeGreaterThanOrEqual(Math.max(sale.floor, dealOf(sale, bid)?.bidfloor ?? 0));
  });
});

test('a winner of a private auction has a deal, and the floor of every deal that wins is 0 or in a currency with a rate', async () => {
  await check((sale, { bid }) => {
    if (bid.dealid !== undefined || sale.pmp?.private_auction === 1) {
      const deal = dealOf(sale, bid)!;
      if (deal.bidfloor) expect(deal.bidfloorcur?.toUpperCase()).toBe('USD');
    }
  });
});

const covers = (listed: string, domain: string) => domain === listed || domain.endsWith(`.${listed}`);

test('no winner is blocked, and every winner is allowed', async () => {
  await check((sale, { bid }) => {
    const { badv = [], bcat = [], wseat = [], bseat = [] } = sale.lists;
    const { wseat: dealSeats = [], wadomain = [] } = dealOf(sale, bid) ?? {};
    const domains = bid.adomain as string[];
    const categories = bid.cat as string[];
    expect(badv.filter((listed) => domains.some((domain) => covers(listed, domain)))).toEqual([]);
    if (badv.length > 0) expect(domains).not.toEqual([]);
    expect(bcat.filter((listed) => categories.some((category) => `${category}-`.startsWith(`${listed}-`)))).toEqual([]);
    if (wseat.length > 0) expect(wseat).toContain(bid.buyerSeat);
    else expect(bseat).not.toContain(bid.buyerSeat);
    if (dealSeats.length > 0) expect(dealSeats).toContain(bid.buyerSeat);
    if (wadomain.length > 0) {
      expect(domains.filter((domain) => !wadomain.some((listed) => covers(listed, domain)))).toEqual([]);
      expect(domains).not.toEqual([]);
    }
  });
});

test('without a losing bid the winner is the same, and its price is not higher', async () => {
  await check(async (sale, { bid, price }) => {
    for (const loser of sale.bids) {
      if (loser === bid) continue;
      const again = await sell({ ...sale, bids: sale.bids.filter((one) => one !== loser) });
      expect(again?.bid).toBe(bid);
      expect(again!.price).toBeLessThanOrEqual(price);
    }
  });
});
