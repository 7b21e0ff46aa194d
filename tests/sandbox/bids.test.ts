/** The bids of alpha, beta and gamma, and their prices. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { type BidResponse, bidRequest, collectBids, ids, readBids, type RequestOptions, title } from './bid-request.ts';
import { type Sandbox, send, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.end());

const collect = (partner: string, options: RequestOptions) => collectBids(sandbox, partner, options);

describe.each(['alpha', 'beta'])('%s', (partner) => {
  test('responds with a complete bid for each impression', async () => {
    const { status, text } = await send(sandbox, `/${partner}/bid`, fullRequest);
    expect(status).toBe(200);
    const response = JSON.parse(text) as BidResponse;
    expect(response).toMatchObject({ id: fullRequest.id, cur: 'USD' });
    expect(readBids(text).map(({ impid }) => impid)).toEqual(['imp-1', 'imp-2']);
    for (const bid of readBids(text)) {
      expect(bid).toMatchObject({
        id: expect.stringMatching(partner),
        nurl: expect.stringContaining('${AUCTION_PRICE}'),
        burl: expect.stringContaining('${AUCTION_PRICE}'),
        adomain: [expect.stringMatching(/\.example$/)],
        crid: expect.stringMatching(partner),
        cid: expect.any(String),
        cat: expect.arrayContaining([expect.stringMatching(/^IAB\d+$/)]),
        mtype: 4,
      });
    }
  });

  test('gives the same response to the same request', async () => {
    const first = await send(sandbox, `/${partner}/bid`, fullRequest);
    expect(await send(sandbox, `/${partner}/bid`, fullRequest)).toEqual(first);
    const other = await startSandbox();
    expect(await send(other, `/${partner}/bid`, fullRequest)).toEqual(first);
    await other.end();
  });

  test('bids between 0.50 and 4.00 in whole cents, never below the floor', async () => {
    const prices = (await collect(partner, {})).map(({ price }) => price);
    expect(prices).toHaveLength(ids.length);
    expect(new Set(prices).size).toBeGreaterThan(ids.length / 2);
    for (const price of prices) {
      expect(price).toBeGreaterThanOrEqual(0.5);
      expect(price).toBeLessThanOrEqual(4);
      expect(price).toBe(Number(price.toFixed(2)));
    }
    const aboveFloor = await collect(partner, { imp: { bidfloor: 2 } });
    expect(aboveFloor.map(({ price }) => price)).toEqual(prices.filter((price) => price >= 2));
  });

  test.each([
    ['an impression without native', { native: undefined, banner: {} }],
    ['a floor in another currency', { bidfloor: 0.1, bidfloorcur: 'EUR' }],
    ['a floor above its maximum price', { bidfloor: 4.01 }],
  ])('responds 204 to %s', async (_description, imp) => {
    expect(await send(sandbox, `/${partner}/bid`, bidRequest('r', { imp }))).toEqual({ status: 204, text: '' });
  });
});

describe('gamma', () => {
  const inEuros = { bidfloor: 0.5, bidfloorcur: 'EUR' };

  test.each([
    ['says nothing about currencies', {}],
    ['accepts bids in euros', { cur: ['USD', 'EUR'] }],
  ])('bids in euros if the request %s', async (_description, more) => {
    const { text } = await send(sandbox, '/gamma/bid', { ...bidRequest('r', { imp: inEuros }), ...more });
    expect(JSON.parse(text)).toMatchObject({ cur: 'EUR' });
    expect(readBids(text)).toHaveLength(1);
  });

  test.each([
    ['a request that does not accept bids in euros', inEuros, { cur: ['USD'] }],
    ['a floor in US dollars', { bidfloor: 0.5 }, { cur: ['USD', 'EUR'] }],
  ])('responds 204 to %s', async (_description, imp, more) => {
    const request = { ...bidRequest('r', { imp }), ...more };
    expect(await send(sandbox, '/gamma/bid', request)).toEqual({ status: 204, text: '' });
  });
});

test('alpha omits the native root key and beta includes it, whatever the request has', async () => {
  const wrapped = { id: 'r', imp: [{ id: '1', native: { request: JSON.stringify({ native: { assets: [title] } }) } }] };
  for (const request of [wrapped, bidRequest('r')]) {
    const [alpha] = readBids((await send(sandbox, '/alpha/bid', request)).text);
    const [beta] = readBids((await send(sandbox, '/beta/bid', request)).text);
    expect(Object.keys(JSON.parse(alpha!.adm) as object)).toContain('assets');
    expect(Object.keys(JSON.parse(beta!.adm) as object)).toEqual(['native']);
  }
});

test('alpha bids more on its preferred keywords, with a matching creative', async () => {
  const bids = await collect('alpha', { keywords: 'weather, Hiking boots' });
  expect(bids).toHaveLength(ids.length);
  for (const { crid, price } of bids) {
    expect(crid).toBe('alpha-ridge-tent');
    expect(price).toBeGreaterThanOrEqual(2.25);
  }
});

test('alpha and beta bid differently on the same request', async () => {
  const [alpha, beta] = [await collect('alpha', {}), await collect('beta', {})];
  expect(alpha.filter(({ price }, index) => price > beta[index]!.price).length).toBeGreaterThan(ids.length / 4);
  expect(alpha.filter(({ price }, index) => price < beta[index]!.price).length).toBeGreaterThan(ids.length / 4);
});
