/** Auctions with bids, floors and responses in different currencies. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import { bidResponse, type Script, type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

/** One euro is 1.0869… US dollars. */
const dollarsPer = { EUR: 1 / 0.92, JPY: 0.0067, IDR: 1 / 16_000 };

const bidsIn =
  (price: number, cur: string | undefined): Script =>
  (response, request) =>
    send(response, JSON.stringify({ ...bidResponse(request, price), cur }));

/** The winner, its price and the currency; undefined without a bid. */
async function winnerOf(request: object, offers: Record<string, [price: number, currency: string | undefined]>) {
  const partners = [];
  for (const [name, [price, currency]] of Object.entries(offers)) {
    const partner = await startPartner(bidsIn(price, currency));
    started.push(partner);
    partners.push({ name, endpoint: partner.url });
  }
  const { handle, bids } = createAuctionExchange(partners, dollarsPer);
  const outcome = await handle(request);
  if (outcome.kind !== 'bid') return { verdicts: bids };
  const { seatbid, cur } = outcome.response;
  return { seat: seatbid[0]!.seat, price: seatbid[0]!.bid[0]!.price, cur, verdicts: bids };
}

test('a bid of less than a millionth of a euro is dropped for its price if the response is in euros', async () => {
  const { verdicts } = await winnerOf(titleRequest({ cur: ['EUR'] }), { dollars: [0.000_001, 'USD'] });
  expect(verdicts).toEqual(['dollars invalid_price']);
});

describe('a bid in euros', () => {
  test('beats a lower bid in dollars of the same number', async () => {
    const offers = { dollars: [2, 'USD'], euros: [2, 'EUR'] } as const;
    expect(await winnerOf(titleRequest(), { ...offers } as never)).toMatchObject({
      seat: 'euros',
      price: 2.173913,
      cur: 'USD',
    });
  });

  test('loses to a higher bid in dollars', async () => {
    const offers = { dollars: [2.18, 'USD'], euros: [2, 'EUR'] } as never;
    expect(await winnerOf(titleRequest(), offers)).toMatchObject({ seat: 'dollars', price: 2.18 });
  });

  test('is the price of a response in euros, unchanged', async () => {
    const request = titleRequest({ cur: ['EUR'] });
    expect(await winnerOf(request, { euros: [2, 'eur'] })).toMatchObject({ price: 2, cur: 'EUR' });
  });

  test.each([0.5, 0.07, 1.13])('of exactly a floor of %p euros wins at that price', async (floor) => {
    const request = titleRequest({ cur: ['EUR'] }, { bidfloor: floor, bidfloorcur: 'EUR' });
    expect(await winnerOf(request, { euros: [floor, 'EUR'] })).toMatchObject({ price: floor, cur: 'EUR' });
  });

  test('below a floor in euros is dropped', async () => {
    const request = titleRequest({}, { bidfloor: 0.51, bidfloorcur: 'EUR' });
    expect(await winnerOf(request, { euros: [0.5, 'EUR'] })).toEqual({ verdicts: ['euros below_floor'] });
  });

  test('sets the second price in dollars', async () => {
    const offers = { dollars: [3, 'USD'], euros: [2, 'EUR'] } as never;
    expect(await winnerOf(titleRequest({ at: 2 }), offers)).toMatchObject({ seat: 'dollars', price: 2.183913 });
  });
});

describe('a bid in a currency', () => {
  test('without a rate is dropped', async () => {
    expect(await winnerOf(titleRequest(), { francs: [9, 'CHF'] })).toEqual({ verdicts: ['francs currency'] });
  });

  test.each(['', undefined])('of %p is in dollars', async (currency) => {
    expect(await winnerOf(titleRequest(), { dollars: [2, currency] })).toMatchObject({ price: 2, cur: 'USD' });
  });
});

test('a lone bid of a second-price auction clears at a floor in yen as the request gave it', async () => {
  const request = titleRequest({ at: 2, cur: ['JPY'] }, { bidfloor: 99.99, bidfloorcur: 'JPY' });
  expect(await winnerOf(request, { dollars: [5, 'USD'] })).toMatchObject({ price: 99.99, cur: 'JPY' });
});

describe('a floor of 100.01 rupiah, between two micros of a dollar', () => {
  const request = (more: object) => titleRequest(more, { bidfloor: 100.01, bidfloorcur: 'IDR' });

  test.each([{ at: 1 }, { at: 2 }, { cur: ['IDR'] }])('is not reached by a bid of 100 rupiah (%j)', async (more) => {
    expect(await winnerOf(request(more), { rupiah: [100, 'IDR'] })).toEqual({ verdicts: ['rupiah below_floor'] });
  });

  test.each([1, 2])('is the price of a bid that equals it (at %p)', async (at) => {
    const offers = { lower: [100, 'IDR'], equal: [100.01, 'IDR'] } as never;
    expect(await winnerOf(request({ at, cur: ['IDR'] }), offers)).toMatchObject({ seat: 'equal', price: 100.01 });
  });
});
