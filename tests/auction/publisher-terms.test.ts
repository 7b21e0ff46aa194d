/** Floors and partners of the publishers file, as partners see them. */
import { afterEach, expect, test } from '@jest/globals';
import type { PublisherSettings } from '../../src/publishers/publishers-settings.ts';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import { bids, type ScriptedPartner, startPartner } from '../support/scripted-partner.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

/** Two partners: alpha bids 2 US dollars, beta 3. */
async function auction(publisher: Omit<PublisherSettings, 'id'>, request: object, dollarsPer = { EUR: 1.25 }) {
  const partners = [];
  for (const [name, price] of [
    ['alpha', 2],
    ['beta', 3],
  ] as const) {
    const partner = await startPartner(bids(price));
    started.push(partner);
    partners.push({ name, endpoint: partner.url, test: true });
  }
  const publishers = [{ id: 'pub-42', ...publisher }];
  const exchange = createAuctionExchange(partners, dollarsPer, { reservedShare: 0, publishers, addresses: [] });
  const outcome = await exchange.handle(request);
  const [alpha, beta] = started.map(({ calls }) => calls.map(({ body }) => JSON.parse(body) as { imp: object[] }));
  return { outcome, alpha: alpha!, beta: beta!, results: exchange.results };
}

const site = { publisher: { id: 'pub-42' } };

test.each<[string, object, object]>([
  ['of the publisher if the request has none', {}, { bidfloor: 1, bidfloorcur: 'EUR' }],
  ['of the publisher if it is higher', { bidfloor: 1.24 }, { bidfloor: 1, bidfloorcur: 'EUR' }],
  ['of the request if they are equal', { bidfloor: 1.25 }, { bidfloor: 1.25 }],
  ['of the request if it is higher', { bidfloor: 1.01, bidfloorcur: 'EUR' }, { bidfloor: 1.01, bidfloorcur: 'EUR' }],
])('partners receive the floor %s', async (_name, imp, expected) => {
  const { outcome, alpha, beta } = await auction({ floor: 1, floorCurrency: 'EUR' }, titleRequest({ site }, imp));
  expect(outcome).toMatchObject({ kind: 'bid', response: { seatbid: [{ seat: 'beta' }] } });
  for (const [received] of [alpha, beta]) {
    const { bidfloor, bidfloorcur } = received!.imp[0] as { bidfloor?: number; bidfloorcur?: string };
    expect({ bidfloor, bidfloorcur }).toEqual({ bidfloorcur: undefined, ...expected });
  }
});

test('the price never falls below the floor of the publisher, also after conversion', async () => {
  const { outcome } = await auction({ floor: 2.5, floorCurrency: 'EUR' }, titleRequest({ site, at: 2, cur: ['EUR'] }), {
    EUR: 1.1,
  });
  expect(outcome).toMatchObject({ response: { cur: 'EUR', seatbid: [{ seat: 'beta', bid: [{ price: 2.5 }] }] } });
});

test('a deal below the floor of the publisher clears at the floor of the publisher', async () => {
  const pmp = { deals: [{ id: 'deal', bidfloor: 0.5, at: 3 }] };
  const request = titleRequest({ site }, { pmp });
  for (const [floor, price] of [
    [0.7, 0.7],
    [0.3, 0.5],
  ] as const) {
    const partner = await startPartner(bids(2, { dealid: 'deal' }));
    started.push(partner);
    const exchange = createAuctionExchange(
      [{ name: 'alpha', endpoint: partner.url }],
      {},
      {
        reservedShare: 0,
        publishers: [{ id: 'pub-42', floor }],
        addresses: [],
      },
    );
    expect(await exchange.handle(structuredClone(request))).toMatchObject({
      response: { seatbid: [{ bid: [{ price, dealid: 'deal' }] }] },
    });
  }
});

test('a floor of the publisher without a rate stops the sale, with warnings in test mode', async () => {
  const floor = { floor: 0.1, floorCurrency: 'CHF' };
  const live = await auction(floor, titleRequest({ site }));
  expect(live).toMatchObject({ outcome: { kind: 'no_bid' }, alpha: [], beta: [] });
  const { outcome } = await auction(floor, titleRequest({ site, test: 1 }));
  expect(outcome).toMatchObject({
    response: { ext: { service: { warnings: [{ code: 'CURRENCY_NOT_TRADED' }, { code: 'FLOOR_RAISED' }] } } },
  });
});

test.each<[string, PublisherSettings['partners'] & object, string[]]>([
  ['that are allowed', { allowed: ['alpha'] }, ['alpha bid']],
  ['that are not blocked', { blocked: ['beta'] }, ['alpha bid']],
  ['that are allowed and not blocked', { allowed: ['alpha', 'gamma'], blocked: ['beta'] }, ['alpha bid']],
  ['of the file without lists', {}, ['alpha bid', 'beta bid']],
])('only partners %s are called and counted', async (_name, partners, expected) => {
  const { results, alpha, beta } = await auction({ partners }, titleRequest({ site }));
  expect(results).toEqual(expected);
  expect([alpha.length, beta.length]).toEqual([1, expected.length - 1]);
});

test('test mode reports partners in their order, called or excluded', async () => {
  const { outcome } = await auction({ partners: { blocked: ['alpha'] } }, titleRequest({ site, test: 1 }));
  expect(outcome).toMatchObject({
    response: {
      ext: {
        service: {
          partners: [
            {
              name: 'alpha',
              outcome: 'excluded',
              detail: 'The settings of the publisher do not allow it.',
              bids: 0,
            },
            { name: 'beta', outcome: 'bid', bids: 1 },
          ],
        },
      },
    },
  });
});

test('other publishers, and apps without one, keep all partners and their floor', async () => {
  const settings = { floor: 1, partners: { blocked: ['alpha', 'beta'] } };
  expect((await auction(settings, titleRequest({ site: { publisher: { id: 'pub-43' } } }))).results).toHaveLength(2);
  expect((await auction(settings, titleRequest({ app: { publisher: { id: 'pub-42' } } }))).results).toEqual([]);
  expect((await auction(settings, titleRequest({ app: {} }))).results).toHaveLength(2);
});
