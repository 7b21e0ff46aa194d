/** delta bids only in its deals and on its keywords, and each of its creatives breaks one rule. */
import { describe, expect, test } from '@jest/globals';
import { delta } from '../../src/sandbox/bidder/delta.ts';
import { prepareBidResponse } from '../../src/sandbox/bidder/prepare-bid-response.ts';
import { type Bid, bidRequest, ids, type NativeResponse, readBids, type RequestOptions, title } from './bid-request.ts';

const image = { id: 2, required: 1, img: { type: 3, wmin: 1600, hmin: 900 } };

const prepare = (options: RequestOptions, id = 'r') =>
  prepareBidResponse(delta, JSON.stringify(bidRequest(id, options)));

/** The members of the bid of delta; undefined without a bid. */
function bidOf(options: RequestOptions): (Bid & Record<string, unknown>) | undefined {
  const { status, body } = prepare(options).respond();
  return status === 204 ? undefined : (readBids(body!)[0] as Bid & Record<string, unknown>);
}

const markupOf = (options: RequestOptions) => JSON.parse(bidOf(options)!.adm) as NativeResponse;

test.each([
  ['without keywords and deals', {}],
  ["with the keywords of alpha's creatives", { keywords: 'running, hiking, travel' }],
  ['with a deal of another buyer', { imp: { pmp: { deals: [{ id: 'northlight-autumn' }] } } }],
  ['with a malformed pmp', { imp: { pmp: { deals: [null, 7] } } }],
])('does not bid on a request %s', (_description, options) => {
  for (const id of ids) expect(prepare(options, id).respond()).toEqual({ status: 204 });
});

describe('in its deal', () => {
  const offered = { pmp: { deals: [{ id: 'northlight-autumn' }, { id: 'fairlead-summer' }] } };

  test('it bids 4.50 with the id of the deal and its seat', () => {
    const { body } = prepare({ imp: offered }).respond();
    expect(JSON.parse(body!)).toMatchObject({
      cur: 'USD',
      seatbid: [
        { seat: 'delta-desk', bid: [{ price: 4.5, dealid: 'fairlead-summer', adomain: ['fairlead.example'] }] },
      ],
    });
  });

  test('it bids only up to 4.50', () => {
    expect(bidOf({ imp: { ...offered, bidfloor: 4.5 } })).toBeDefined();
    expect(bidOf({ imp: { ...offered, bidfloor: 4.51 } })).toBeUndefined();
  });
});

test.each<[keyword: string, members: object]>([
  ['yachts', { dealid: 'fairlead-spring' }],
  ['cinema', { attr: [1] }],
  ['puzzles', { bundle: 'example.playfield.blockgarden' }],
  ['politics', { ext: { dsa: expect.any(Object) } }],
])('on the keyword %s it bids 4.50 with the members that a rule checks', (keyword, members) => {
  expect(bidOf({ keywords: `news, ${keyword}` })).toMatchObject({ price: 4.5, ...members });
});

test('on the keyword coupons its bid has no adomain', () => {
  expect(bidOf({ keywords: 'coupons' })).not.toHaveProperty('adomain');
});

test('on the keyword insurance it ignores the floor, and its title and image ignore the request', () => {
  expect(bidOf({ keywords: 'insurance', imp: { bidfloor: 5 } })).toMatchObject({ price: 4.5 });
  const markup = markupOf({ keywords: 'insurance', assets: [{ ...title, title: { len: 20 } }, image] });
  expect(markup.assets[0]!.title!.text.length).toBeGreaterThan(90);
  expect(markup.assets[1]!.img).toMatchObject({ w: 1200, h: 627 });
});

test('its other creatives keep to the request', () => {
  expect(bidOf({ keywords: 'cinema', assets: [title, image] })).toBeUndefined();
  expect(markupOf({ keywords: 'cinema', assets: [{ ...title, title: { len: 12 } }] }).assets[0]!.title).toEqual({
    text: 'The loudest',
  });
});

test('on the keyword sweepstakes its click URL is a script', () => {
  expect(markupOf({ keywords: 'sweepstakes' }).link.url).toMatch(/^javascript:/);
});

test('on the keyword antiques its image is not https', () => {
  const [, filled] = markupOf({ keywords: 'antiques', assets: [title, { id: 2, img: { type: 3 } }] }).assets;
  expect(filled!.img).toMatchObject({ url: expect.stringMatching(/^http:/) });
});

test('only on the keyword tailoring it is slower than the deadlines of an auction', () => {
  expect(prepare({ keywords: 'tailoring' }).delayMs).toBe(4000);
  for (const { onlyKeyword } of delta.creatives) {
    if (onlyKeyword !== 'tailoring') expect(prepare({ keywords: onlyKeyword ?? 'news' }).delayMs).toBe(0);
  }
});
