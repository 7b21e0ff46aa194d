/** The members of a response bid have the bounds that the bid of the partner may lack. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeRemoved } from '../../src/auction/describe-removed.ts';
import { toResponseBid } from '../../src/auction/to-response-bid.ts';
import type { UncheckedBid } from '../../src/demand/adapter.ts';
import { numRuns } from '../support/num-runs.ts';
import { adm, auctionOf, bidOf } from './fakes.ts';

const impression = auctionOf(0).impressions[0]!;
const responseBid = (over: UncheckedBid) =>
  toResponseBid({ impression, priceMicros: 1_000_000, bid: bidOf(1, over), adm }, 1, 'request-1');

const strings = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, 'x'));

test('members within their bounds are complete', () => {
  const url = 'https://a.example/'.padEnd(4_096, 'x');
  const id = 'x'.repeat(255);
  const list = strings(50, 255);
  const ids = { id, crid: id, cid: id, bundle: id, language: id, dealid: id };
  const urls = { nurl: url, burl: url, lurl: url };
  const lists = { adomain: list, cat: list, attr: Array.from({ length: 50 }, (_, index) => index) };
  const full = { ...ids, ...urls, ...lists, cattax: 7, exp: 1 };
  const dsa = { behalf: 'x'.repeat(4_083) }; // 4,096 characters of JSON
  expect(responseBid({ ...full, ext: { dsa, other: 1 }, buyerSeat: id })).toEqual({
    ...full,
    impid: 'imp-1',
    price: 1,
    adm,
    mtype: 4,
    ext: { dsa, service: { buyerSeat: id } },
  });
});

test('longer strings are removed; a bid always has an id and a crid', () => {
  const url = 'https://a.example/'.padEnd(4_097, 'x');
  const id = 'x'.repeat(256);
  const given = 'request-1:imp-1';
  const urls = { nurl: url, burl: url, lurl: url };
  const dsa = { behalf: 'x'.repeat(4_084) };
  const ids = { id, crid: id, cid: id, bundle: id, language: id, dealid: id, buyerSeat: id };
  expect(responseBid({ ...ids, ...urls, ext: { dsa } })).toEqual({
    id: given,
    impid: 'imp-1',
    price: 1,
    adm,
    crid: given,
    mtype: 4,
  });
});

test('a list keeps its first 50 entries, without those above 255 characters', () => {
  const long = 'x'.repeat(256);
  const attributes = Array.from({ length: 51 }, (_, index) => index);
  const { adomain, attr, ...rest } = responseBid({
    adomain: [long, ...strings(60, 10)],
    cat: [long],
    attr: attributes,
  });
  expect(adomain).toEqual(strings(50, 10));
  expect(attr).toEqual(attributes.slice(0, 50));
  expect(rest).not.toHaveProperty('cat');
});

const bare = { id: 'bid-1', impid: 'imp-1', price: 1, adm, crid: 'bid-1', mtype: 4 };

test.each<[string, UncheckedBid]>([
  ['numbers instead of strings', { bundle: 1, cid: 1, language: 1, dealid: 1, buyerSeat: 1 }],
  ['empty strings', { nurl: '', bundle: '', cid: '', language: '', dealid: '', buyerSeat: '' }],
  ['strings instead of lists', { adomain: 'a.example', cat: 'IAB1', attr: '1' }],
  ['lists with an entry of another type', { adomain: ['a.example', 1], cat: [null], attr: [1, '2'] }],
  ['fractions and strings instead of integers', { cattax: '1', exp: 1.5, attr: [1.5] }],
  ['an expiry of 0', { exp: 0 }],
  ['an expiry below 0', { exp: -1 }],
  ['an ext that is not an object', { ext: [{ dsa: {} }] }],
  ['a dsa that is not an object', { ext: { dsa: 'yes' } }],
  ['other members of ext', { ext: { service: { buyerSeat: 'forged' }, skadn: {} } }],
  ['null', { nurl: null, adomain: null, cattax: null, attr: null, exp: null, ext: null, buyerSeat: null }],
])('members of another type are removed: %s', (_what, members) => {
  expect(responseBid(members)).toEqual(bare);
});

test.each(['javascript:alert(1)', ' https://a.example/', '//a.example/', 'data:,x', 'market://x', '/win', 'https://'])(
  'the notice URL %s is removed',
  (url) => expect(responseBid({ nurl: url, burl: url, lurl: url })).toEqual(bare),
);

test('notice URLs may be http, and keep their macros', () => {
  const urls = {
    nurl: 'http://a.example/?p=${AUCTION_PRICE}',
    burl: 'HTTPS://a.example/',
    lurl: 'https://a.example/?${AUCTION_LOSS}',
  };
  expect(responseBid(urls)).toEqual({ ...bare, ...urls });
});

/** Values of the right kind and of every wrong one, at their bounds and beyond. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('x'.repeat(255), 'x'.repeat(256), 'https://a.example/'.padEnd(4_097, 'x'), 'ftp://a.example'),
);
const scalar = fc.oneof(
  text,
  fc.webUrl(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, {}),
);
const list = fc.oneof(
  fc.array(text, { maxLength: 60 }),
  fc.array(fc.integer(), { maxLength: 60 }),
  fc.array(scalar, { maxLength: 3 }),
);
const value = fc.oneof(scalar, list);
const members = [
  'nurl',
  'burl',
  'lurl',
  'bundle',
  'cid',
  'language',
  'dealid',
  'adomain',
  'cat',
  'attr',
  'cattax',
  'exp',
] as const;

test('the report of test mode names exactly the members that are removed or cut', () => {
  fc.assert(
    fc.property(fc.record(Object.fromEntries(members.map((name) => [name, value]))), (over) => {
      const response: Record<string, unknown> = { ...responseBid(over) };
      const named = describeRemoved(over as UncheckedBid).map((line) => /^[a-z]+/.exec(line)![0]);
      const lost = members.filter(
        (name) => !isEmpty(name, over[name]) && !isDeepStrictEqual(response[name], over[name]),
      );
      expect(named.toSorted()).toEqual(lost.toSorted());
    }),
    { numRuns: numRuns(2_000) },
  );
});

/** An empty member is the same as an absent one, and so is an expiry of 0. */
function isEmpty(name: (typeof members)[number], sent: unknown): boolean {
  if (sent === undefined || sent === null || sent === '') return true;
  if (name === 'exp') return sent === 0;
  return ['adomain', 'cat', 'attr'].includes(name) && Array.isArray(sent) && sent.length === 0;
}
