/** The entries of the auction log: one per impression sold, as documented. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SoldAuction, toAuctionLogEntries } from '../../src/exchange/auction-log-entry.ts';
import { toMicros } from '../../src/money/micros.ts';
import { createRates } from '../../src/money/rates.ts';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';

const rates = createRates({ EUR: 1.25 });
const timeMs = Date.UTC(2026, 2, 5, 9, 30, 12, 345);
const auctionId = '6a0c2a0e-6d0e-4f0a-9a55-0f9d0f5d2b7c';

const request = {
  id: 'req-81',
  imp: [
    { id: '1', native: { request: '' }, pmp: { deals: [{ id: 'spring', at: 3 }, { id: 'open-type' }] } },
    { id: '2', native: { request: '' } },
  ],
  site: { domain: 'rider.example', publisher: { id: 'pub-1' } },
  device: { ip: '203.0.113.7', ifa: 'device-1' },
  user: { id: 'user-1', consent: 'consent-1' },
} as unknown as BidRequest;

const bid = (more: object = {}) => ({ id: 'b-1', impid: '1', price: 2.4, adm: '', crid: 'c', mtype: 4, ...more });
const responseWith = (seatbid: object[], cur = 'USD') => ({ id: 'req-81', seatbid, cur }) as unknown as BidResponse;

const entriesOf = (response: BidResponse, sold: Partial<SoldAuction> = {}) =>
  toAuctionLogEntries(auctionId, timeMs, response, {
    request,
    type: 1,
    rates,
    competition: () => ({ partners: ['alpha', 'beta', 'house'], bids: 4, secondMicros: new Map([['1', 1_500_000]]) }),
    ...sold,
  }).map((entry) => JSON.parse(JSON.stringify(entry)) as Record<string, unknown>);

test('the example of the documentation is a line of the log', () => {
  const document = readFileSync(new URL('../../docs/notices-and-reconciliation.md', import.meta.url), 'utf8');
  const example = /```\n(\{"time".*)\n```/.exec(document)![1]!;
  const won = bid({ dealid: 'spring', ext: { service: { buyerSeat: 'seat-7' } } });
  const [entry] = toAuctionLogEntries(auctionId, timeMs, responseWith([{ seat: 'alpha', bid: [won] }], 'EUR'), {
    request,
    type: 2,
    rates,
    competition: () => ({ partners: ['alpha', 'beta', 'house'], bids: 4, secondMicros: new Map([['1', 1_500_000]]) }),
  });
  expect(example).toBe(JSON.stringify(entry));
  const documented = [...document.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
  expect(documented).toEqual(expect.arrayContaining([...Object.keys(JSON.parse(example) as object), 'appBundle']));
});

test('each impression sold has an entry', () => {
  const seatbid = [
    { seat: 'alpha', bid: [bid(), bid({ id: 'b-2', impid: '2', price: 1 })] },
    { seat: 'beta', bid: [bid({ id: 'b-3', impid: '3', price: 5 })] },
  ];
  expect(entriesOf(responseWith(seatbid))).toMatchObject([
    { auctionId, impId: '1', bidId: 'b-1', seat: 'alpha', price: 2.4, secondPrice: 1.5 },
    { auctionId, impId: '2', bidId: 'b-2', seat: 'alpha', price: 1 },
    { auctionId, impId: '3', bidId: 'b-3', seat: 'beta', price: 5 },
  ]);
});

test('members that do not apply are absent', () => {
  const [entry] = entriesOf(responseWith([{ seat: 'alpha', bid: [bid({ impid: '2' })] }]), {
    request: { id: 'r', imp: request.imp },
  });
  expect(Object.keys(entry!)).toEqual([
    'time',
    'auctionId',
    'requestId',
    'impId',
    'bidId',
    'seat',
    'price',
    'currency',
    'type',
    'partners',
    'bids',
  ]);
});

test('an app has its bundle and its publisher', () => {
  const app = { bundle: 'com.rider.app', publisher: { id: 'pub-2' } };
  const sold = { request: { id: 'r', imp: request.imp, app } };
  expect(entriesOf(responseWith([{ seat: 'alpha', bid: [bid()] }]), sold)).toMatchObject([
    { appBundle: 'com.rider.app', publisherId: 'pub-2' },
  ]);
});

describe('the type', () => {
  test.each([
    ['that of the deal', 'spring', 3],
    ['that of the auction if the deal has none', 'open-type', 2],
    ['that of the auction without a deal', undefined, 2],
  ])('is %s', (_name, dealid, type) => {
    const response = responseWith([{ seat: 'alpha', bid: [bid({ dealid })] }]);
    expect(entriesOf(response, { type: 2 })).toMatchObject([{ type }]);
  });
});

test('the second price is absent if its currency has no rate any more', () => {
  const [entry] = entriesOf(responseWith([{ seat: 'alpha', bid: [bid()] }], 'CHF'));
  expect(entry).toMatchObject({ currency: 'CHF', price: 2.4 });
  expect(entry).not.toHaveProperty('secondPrice');
});

test('no personal data of the request is in an entry', () => {
  const text = JSON.stringify(entriesOf(responseWith([{ seat: 'alpha', bid: [bid()] }])));
  for (const personal of ['203.0.113.7', 'device-1', 'user-1', 'consent-1']) expect(text).not.toContain(personal);
});

describe('an outcome', () => {
  const campaign = { id: 'c1', cpm: 1, landing: 'https://c1.example/', title: 'Campaign' };
  const house = { name: 'house', adapter: 'house', test: true, endpoint: '', campaigns: [campaign] };
  const { handle } = createAuctionExchange([house]);

  test('of a live auction with a winner has what the log needs', async () => {
    expect(await handle(titleRequest())).toMatchObject({
      kind: 'bid',
      sold: { request: { id: 'request-1' }, type: 1 },
    });
    expect(await handle(titleRequest({ at: 2 }))).toMatchObject({ kind: 'bid', sold: { type: 2 } });
  });

  test('of a test auction has not', async () => {
    const outcome = await handle(titleRequest({ test: 1 }));
    expect(outcome).toMatchObject({ kind: 'bid', response: { seatbid: [{ seat: 'house' }] } });
    expect(outcome).not.toHaveProperty('sold');
  });

  test('of a test auction without a winner is no bid, with a report', async () => {
    const outcome = await handle(titleRequest({ test: 1 }, { bidfloor: 1_000 }));
    expect(outcome).toMatchObject({ kind: 'no_bid', response: { seatbid: [], ext: { service: { test: true } } } });
  });
});

test('the second price of whole cents is whole cents, whatever the rate', () => {
  const rate = fc.integer({ min: 1, max: 300_000 }).map((n) => n / 1000);
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 10_000 }), (dollarsPerUnit, cents) => {
      const amount = cents / 100;
      const secondMicros = new Map([['1', toMicros(amount, dollarsPerUnit)]]);
      fc.pre(amount * dollarsPerUnit * 1_000_000 === Math.round(amount * dollarsPerUnit * 1_000_000));
      const [entry] = entriesOf(responseWith([{ seat: 'alpha', bid: [bid()] }], 'EUR'), {
        rates: createRates({ EUR: dollarsPerUnit }),
        competition: () => ({ partners: ['alpha', 'beta'], bids: 2, secondMicros }),
      });
      expect(entry).toMatchObject({ secondPrice: amount });
    }),
  );
});
