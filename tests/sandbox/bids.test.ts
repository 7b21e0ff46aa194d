/** What alpha and beta bid, and at what price. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fullRequest } from '../support/full-request.ts';
import { askForMany, type BidResponse, bidRequest, ids, readBids, title, type Wish } from './bid-request.ts';
import { ask, type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.end());

const bidsOn = (partner: string, wish: Wish) => askForMany(sandbox, partner, wish);

describe.each(['alpha', 'beta'])('%s', (partner) => {
  test('answers a bid response with a whole bid for each impression', async () => {
    const { status, text } = await ask(sandbox, `/${partner}/bid`, fullRequest);
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

  test('answers the same request the same', async () => {
    const once = await ask(sandbox, `/${partner}/bid`, fullRequest);
    expect(await ask(sandbox, `/${partner}/bid`, fullRequest)).toEqual(once);
    const other = await startSandbox();
    expect(await ask(other, `/${partner}/bid`, fullRequest)).toEqual(once);
    await other.end();
  });

  test('bids between 0.50 and 4.00 in whole cents, never below the floor', async () => {
    const prices = (await bidsOn(partner, {})).map(({ price }) => price);
    expect(prices).toHaveLength(ids.length);
    expect(new Set(prices).size).toBeGreaterThan(ids.length / 2);
    for (const price of prices) {
      expect(price).toBeGreaterThanOrEqual(0.5);
      expect(price).toBeLessThanOrEqual(4);
      expect(price).toBe(Number(price.toFixed(2)));
    }
    const above = await bidsOn(partner, { imp: { bidfloor: 2 } });
    expect(above.map(({ price }) => price)).toEqual(prices.filter((price) => price >= 2));
  });

  test.each([
    ['an impression without native', { native: undefined, banner: {} }],
    ['a floor in another currency', { bidfloor: 0.1, bidfloorcur: 'EUR' }],
    ['a floor above all its prices', { bidfloor: 4.01 }],
  ])('answers 204 to %s', async (_what, imp) => {
    expect(await ask(sandbox, `/${partner}/bid`, bidRequest('r', { imp }))).toEqual({ status: 204, text: '' });
  });
});

test('alpha leaves the root key out and beta puts it in, whatever was asked', async () => {
  const wrapped = { id: 'r', imp: [{ id: '1', native: { request: JSON.stringify({ native: { assets: [title] } }) } }] };
  for (const request of [wrapped, bidRequest('r')]) {
    const [alpha] = readBids((await ask(sandbox, '/alpha/bid', request)).text);
    const [beta] = readBids((await ask(sandbox, '/beta/bid', request)).text);
    expect(Object.keys(JSON.parse(alpha!.adm) as object)).toContain('assets');
    expect(Object.keys(JSON.parse(beta!.adm) as object)).toEqual(['native']);
  }
});

test('alpha pays more for the words it prefers, and shows what goes with them', async () => {
  const bids = await bidsOn('alpha', { keywords: 'weather, Hiking boots' });
  expect(bids).toHaveLength(ids.length);
  for (const { crid, price } of bids) {
    expect(crid).toBe('alpha-ridge-tent');
    expect(price).toBeGreaterThanOrEqual(2.25);
  }
});

test('alpha and beta bid differently on the same request', async () => {
  const [alpha, beta] = [await bidsOn('alpha', {}), await bidsOn('beta', {})];
  expect(alpha.filter(({ price }, index) => price > beta[index]!.price).length).toBeGreaterThan(ids.length / 4);
  expect(alpha.filter(({ price }, index) => price < beta[index]!.price).length).toBeGreaterThan(ids.length / 4);
});
