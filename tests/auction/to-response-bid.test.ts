/** The members of a response bid have the bounds that the bid of the partner may lack. */
import { expect, test } from '@jest/globals';
import { toResponseBid } from '../../src/auction/to-response-bid.ts';
import type { UncheckedBid } from '../../src/demand/adapter.ts';
import { adm, auctionOf, bidOf } from './fakes.ts';

const impression = auctionOf(0).impressions[0]!;
const responseBid = (over: UncheckedBid) =>
  toResponseBid({ impression, priceMicros: 1_000_000, bid: bidOf(1, over), adm }, 1_000_000, 'request-1');

const strings = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, 'x'));

test('members within their bounds are complete', () => {
  const url = 'https://a.example/'.padEnd(4_096, 'x');
  const id = 'x'.repeat(255);
  const list = strings(50, 255);
  const full = { id, nurl: url, burl: url, adomain: list, crid: id, cid: id, cat: list };
  expect(responseBid(full)).toMatchObject(full);
});

test('longer strings are removed; a bid always has an id and a crid', () => {
  const url = 'https://a.example/'.padEnd(4_097, 'x');
  const id = 'x'.repeat(256);
  const given = 'request-1:imp-1';
  expect(responseBid({ id, nurl: url, burl: url, crid: id, cid: id })).toEqual({
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
  const { adomain, ...rest } = responseBid({ adomain: [long, ...strings(60, 10)], cat: [long] });
  expect(adomain).toEqual(strings(50, 10));
  expect(rest).not.toHaveProperty('cat');
});
