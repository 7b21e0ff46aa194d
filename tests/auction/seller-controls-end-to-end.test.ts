/** Seller controls and deals between a caller and an OpenRTB partner on a real socket. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
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

const responseOf = (outcome: Outcome) => (outcome.kind === 'bid' ? outcome.response : undefined);

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
  expect(response?.seatbid).toMatchObject([{ seat: 'alpha', bid: [{ impid: '1', price: 1.5 }] }]);
  expect(exchange.bids).toEqual(['alpha won']);
});

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
  expect(report?.partners).toMatchObject([{ name: 'alpha', bids: 1, rejected: [{ reason, impid: '1' }] }]);
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
