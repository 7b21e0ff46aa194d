/** Seller controls and deals between a caller and an OpenRTB partner on a real socket. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import type { PartnerReport } from '../../src/contract/partner-report.ts';
import { type AuctionExchange, createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import { bidResponse, type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';

let partner: ScriptedPartner;
let exchange: AuctionExchange;

beforeAll(async () => {
  partner = await startPartner(() => {});
});
afterAll(() => partner.close());
beforeEach(() => {
  exchange = createAuctionExchange([{ name: 'alpha', endpoint: partner.url, test: true }]);
});

/** The partner bids 2.50 with these members, from the seat `agency-1`. */
const bidsWith = (members: object) =>
  partner.play((response, request) => {
    const body = bidResponse(request, 2.5, members);
    const seatbid = body.seatbid.map((seat) => ({ ...seat, seat: 'agency-1' }));
    send(response, JSON.stringify({ ...body, seatbid }));
  });

const responseOf = (outcome: Outcome) => ('response' in outcome ? outcome.response : undefined);

const lists = {
  bcat: ['IAB25', 'iab25'],
  cattax: 1,
  badv: ['Shoes.example', 'www.boots.example'],
  bapp: ['com.shoes'],
  wseat: ['agency-1'],
  bseat: [],
};
const pmp = {
  private_auction: 1,
  deals: [{ id: 'deal-1', bidfloor: 1.5, bidfloorcur: 'usd', at: 3, wseat: ['agency-1'], wadomain: ['trail.example'] }],
  ext: { x: 1 },
};

test('lists and deals are forwarded unchanged, and a bid that keeps to them wins at the fixed price', async () => {
  bidsWith({ dealid: 'deal-1', adomain: ['trail.example'], cat: ['IAB1'], bundle: 'com.trail' });
  const response = responseOf(await exchange.handle(titleRequest(lists, { pmp })));
  expect(JSON.parse(partner.calls.at(-1)!.body)).toMatchObject({ ...lists, imp: [{ pmp }] });
  expect(response?.seatbid).toMatchObject([{ seat: 'alpha', bid: [{ impid: '1', price: 1.5, dealid: 'deal-1' }] }]);
  expect(exchange.bids).toEqual(['alpha won']);
});

/** What test mode tells of each bid below. */
const details: Record<string, string> = {
  unknown_deal: 'the impression does not offer the deal "deal-2"',
  no_deal: `the auction is private, and the bid has no dealid`,
  currency: 'no exchange rate for the deal\'s floor in "EUR"',
  seat_not_allowed: 'seat "agency-1" is not in wseat of the request',
  blocked_seat: 'seat "agency-1" is in bseat',
  below_deal_floor: `price 2.5 USD is below the deal's floor of 2.51 USD`,
  below_floor: `price 2.5 USD is below the floor of 2.51 USD`,
  advertiser_not_allowed: `adomain (none) is not within wadomain of the deal`,
  unknown_advertiser: `the request has badv, and the bid has no adomain to compare it with`,
  blocked_advertiser: 'badv blocks adomain "www.a.example"',
  blocked_category: 'bcat blocks cat "IAB25-3"',
  blocked_app: 'bapp blocks bundle "com.a"',
  missing_dsa: `regs.ext.dsa.dsarequired needs ext.dsa, an object of at most 4,096 characters, which the bid does not have`,
};

test.each<[reason: string, bid: object, request: object, imp: object]>([
  ['unknown_deal', { dealid: 'deal-2' }, {}, { pmp: { deals: [{ id: 'deal-1' }] } }],
  ['no_deal', {}, {}, { pmp: { private_auction: 1, deals: [{ id: 'deal-1' }] } }],
  ['currency', { dealid: 'deal-1' }, {}, { pmp: { deals: [{ id: 'deal-1', bidfloor: 1, bidfloorcur: 'EUR' }] } }],
  ['seat_not_allowed', {}, { wseat: ['agency-2'] }, {}],
  ['blocked_seat', {}, { bseat: ['agency-1'] }, {}],
  ['below_deal_floor', { dealid: 'deal-1' }, {}, { pmp: { deals: [{ id: 'deal-1', bidfloor: 2.51 }] } }],
  ['below_floor', {}, {}, { bidfloor: 2.51 }],
  ['advertiser_not_allowed', { dealid: 'deal-1' }, {}, { pmp: { deals: [{ id: 'deal-1', wadomain: ['a.example'] }] } }],
  ['unknown_advertiser', {}, { badv: ['a.example'] }, {}],
  ['blocked_advertiser', { adomain: ['www.a.example'] }, { badv: ['a.example'] }, {}],
  ['blocked_category', { cat: ['IAB25-3'] }, { bcat: ['IAB25'] }, {}],
  ['blocked_app', { bundle: 'com.a' }, { bapp: ['com.a'] }, {}],
  ['missing_dsa', {}, { regs: { ext: { dsa: { dsarequired: 2 } } } }, {}],
])('a bid that is dropped as %s is counted and reported with this reason', async (reason, bid, request, imp) => {
  bidsWith(bid);
  expect(await exchange.handle(titleRequest(request, imp))).toMatchObject({ kind: 'no_bid' });
  expect(exchange.bids).toEqual([`alpha ${reason}`]);
  const report = responseOf(await exchange.handle(titleRequest({ ...request, test: 1 }, imp)))?.ext?.service;
  expect(report?.partners).toMatchObject([
    { name: 'alpha', bids: 1, rejected: [{ reason, detail: details[reason], impid: '1' }] },
  ]);
});

describe('a deal whose floor in dollars has more than six decimals', () => {
  const bidfloor = 1.0869565217391304;
  const priceOf = async (price: number, deal: object = {}) => {
    bidsWith({ dealid: 'deal-1', price });
    const deals = [{ id: 'deal-1', bidfloor, ...deal }];
    return responseOf(await exchange.handle(titleRequest({}, { pmp: { deals } })))?.seatbid[0]!.bid[0]!.price;
  };

  test.each([1, 2, 3])('is sold for it to a bid of the same amount (at %p)', async (at) => {
    expect(await priceOf(bidfloor, { at })).toBe(bidfloor);
  });

  test('is sold to a bid between it and the next micro, for no more than the bid', async () => {
    expect(await priceOf(1.0869566)).toBe(bidfloor);
  });

  test('is not sold for less, even if both are the same number of micros', async () => {
    expect(await priceOf(1.0869565)).toBeUndefined();
  });

  test('is sold for a higher bid, rounded down to six decimals', async () => {
    expect(await priceOf(1.5000005)).toBe(1.5);
  });
});

test('a blocked attribute applies to the impression that blocks it', async () => {
  bidsWith({ attr: [3] });
  const { id, imp } = titleRequest();
  const [first] = imp;
  const blocking = { ...first!, id: '2', native: { ...first!.native, battr: [3] } };
  const response = responseOf(await exchange.handle({ id, imp: [first, blocking] }));
  expect(response?.seatbid[0]!.bid.map(({ impid }) => impid)).toEqual(['1']);
  expect(exchange.bids.toSorted()).toEqual(['alpha blocked_attribute', 'alpha won']);
});

test('a floor that no bid reaches is a warning in test mode', async () => {
  bidsWith({});
  const report = async (bidfloor: number) =>
    responseOf(await exchange.handle(titleRequest({ test: 1 }, { bidfloor })))?.ext?.service.warnings;
  expect(await report(2.5)).toEqual([]);
  expect(await report(2.51)).toEqual([
    {
      code: 'FLOOR_NOT_REACHED',
      field: 'imp[0].bidfloor',
      message: 'no bid reached the floor of 2.51 USD; the bids below it are in partners[].rejected',
    },
  ]);
});

test('a floor that no bid reaches is a warning even if another bid is dropped before its floor is judged', async () => {
  partner.play((response, request) => {
    const body = bidResponse(request, 0.5);
    const [bid] = body.seatbid[0]!.bid;
    const unknownDeal = { bid: [{ ...bid, price: 0.1, dealid: 'other' }] };
    send(response, JSON.stringify({ ...body, seatbid: [...body.seatbid, unknownDeal] }));
  });
  const outcome = await exchange.handle(titleRequest({ test: 1 }, { bidfloor: 5 }));
  expect(outcome.kind).toBe('no_bid');
  const { warnings, partners } = responseOf(outcome)!.ext!.service;
  expect(partners[0]!.rejected.map(({ reason }) => reason)).toEqual(['below_floor', 'unknown_deal']);
  expect(warnings).toMatchObject([{ code: 'FLOOR_NOT_REACHED' }]);
});

test('losing bids are reported with their price, repaired ones with what was repaired', async () => {
  partner.play((response, request) => {
    const body = bidResponse(request, 2.5, { adm: markup('Shoes') });
    body.seatbid[0]!.bid.push({ ...body.seatbid[0]!.bid[0]!, price: 1.25, adm: markup('x'.repeat(91)) });
    send(response, JSON.stringify(body));
  });
  const report = responseOf(await exchange.handle(titleRequest({ test: 1 })))?.ext?.service;
  const [{ lost, repaired, rejected }] = report!.partners as [PartnerReport];
  expect({ lost, rejected }).toEqual({ lost: [{ impid: '1', price: 1.25 }], rejected: [] });
  expect(repaired).toEqual([{ impid: '1', detail: expect.stringContaining('asset 1') }]);
});

const markup = (text: string) =>
  JSON.stringify({ native: { assets: [{ id: 1, title: { text } }], link: { url: 'https://shoes.example/' } } });
