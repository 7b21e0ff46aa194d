/** The report of test mode: which rule a bid broke, and why a partner has no bid, with partners on real sockets. */
import { afterEach, expect, test } from '@jest/globals';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import {
  bidResponse,
  hangs,
  type Script,
  type ScriptedPartner,
  send,
  startPartner,
} from '../support/scripted-partner.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

/** The report of test mode, with one partner that follows the script. */
async function runTest(script: Script, request: object, settings: object = {}) {
  const partner = await startPartner(script);
  started.push(partner);
  const { handle } = createAuctionExchange([{ name: 'alpha', endpoint: partner.url, test: true, ...settings }]);
  const outcome = await handle(request);
  if (!('response' in outcome)) throw new Error(`test mode has a response; got ${outcome.kind}`);
  return outcome.response.ext!.service;
}

async function reportOf(script: Script, request: object = {}, imp: object = {}, settings: object = {}) {
  const { partners } = await runTest(script, titleRequest({ test: 1, ...request }, imp), settings);
  return partners[0]!;
}

const sendBid =
  (members: object, bids: (all: object[]) => object[] = (all) => all): Script =>
  (response, request) => {
    const body = bidResponse(request, 2.5, members);
    send(response, JSON.stringify({ ...body, seatbid: [{ bid: bids(body.seatbid[0]!.bid) }] }));
  };

test.each<[name: string, script: Script, outcome: string, detail: string]>([
  ['a status of 404', (response) => void response.writeHead(404).end(), 'error', 'It responded with status 404.'],
  [
    'a connection that it closes',
    (response) => void response.destroy(),
    'error',
    'No connection to it could be opened, or it broke before the response was complete.',
  ],
  ['HTML', (response) => send(response, '<html></html>'), 'invalid', 'Its response is not JSON.'],
  [
    'the id of another request',
    (response) => send(response, '{"id":"another"}'),
    'invalid',
    'Its id is "another", not "request-1".',
  ],
  [
    'more bids than are read',
    sendBid({}, ([bid]) => Array.from({ length: 51 }, () => bid!)),
    'invalid',
    'It has more than 50 bids; at most 50 per impression are allowed.',
  ],
])('a partner that responds with %s: the report says so', async (_name, script, outcome, detail) => {
  expect(await reportOf(script)).toMatchObject({ outcome, detail });
});

const domains = Array.from({ length: 60 }, (_, index) => `d${index}.example`);

test.each<[broken: string, bid: object, request: object, imp: object]>([
  ['badv blocks adomain "d55.example"', { adomain: domains }, { badv: ['d55.example'] }, {}],
  ['bcat blocks cat "IAB25-3"', { cat: ['IAB1', 'IAB25-3'] }, { bcat: ['IAB25'] }, {}],
  [
    'adomain "b.example" is not within wadomain of the deal',
    { dealid: 'd', adomain: ['a.example', 'b.example'] },
    {},
    { pmp: { deals: [{ id: 'd', wadomain: ['a.example'] }] } },
  ],
  [
    'adomain an object is not within wadomain of the deal',
    { dealid: 'd', adomain: [{ toString: 1 }] },
    {},
    { pmp: { deals: [{ id: 'd', wadomain: ['a.example'] }] } },
  ],
  ['dealid must be a string; got 7', { dealid: 7 }, {}, { pmp: { deals: [{ id: '7' }] } }],
  [
    'the request has badv, and adomain must be an array of domains; got "bad.example"',
    { adomain: 'bad.example' },
    { badv: ['bad.example'] },
    {},
  ],
  [
    'the request has badv, and adomain[0] "https://a.example/x" is not a domain',
    { adomain: ['https://a.example/x'] },
    { badv: ['bad.example'] },
    {},
  ],
  [
    'the request has badv, and adomain[1] "" is not a domain',
    { adomain: ['a.example', ''] },
    { badv: ['bad.example'] },
    {},
  ],
  [
    'the request has badv, and the bid has no adomain to compare it with',
    { adomain: [] },
    { badv: ['bad.example'] },
    {},
  ],
])('%s: only what breaks the rule is named', async (detail, bid, request, imp) => {
  expect((await reportOf(sendBid(bid), request, imp)).rejected).toMatchObject([{ detail }]);
});

test.each([1, '1', true])('an impression with secure %j gets no image over http', async (secure) => {
  const asset = { id: 1, required: 1, img: { type: 3 } };
  const native = { request: JSON.stringify({ native: { ver: '1.2', assets: [asset] } }) };
  const adm = JSON.stringify({
    native: { assets: [{ id: 1, img: { url: 'http://img.example/1.png' } }], link: { url: 'https://shoes.example/' } },
  });
  const { rejected } = await reportOf(sendBid({ adm }), {}, { native, secure });
  expect(rejected).toMatchObject([{ reason: 'insecure_markup' }]);
});

const long = 'x'.repeat(4_118);
const list = Array.from({ length: 51 }, (_, index) => index);

test.each<[member: string, bid: object, detail: string]>([
  ['a burl that is too long', { burl: `https://${long}` }, 'burl has 4,126 characters, more than 4,096; removed'],
  ['a nurl without http', { nurl: 'market://x' }, 'nurl "market://x" is not an absolute http or https URL; removed'],
  ['a lurl of another type', { lurl: 7 }, 'lurl must be a string; got 7; removed'],
  ['an id that is too long', { id: long }, 'id has 4,118 characters, more than 255; replaced'],
  ['a crid of another type', { crid: [] }, 'crid must be a string; got an array; replaced'],
  ['a bundle of another type', { bundle: 7 }, 'bundle must be a string; got 7; removed'],
  ['adomain as a string', { adomain: 'a.example' }, 'adomain must be an array; got "a.example"; removed'],
  ['a number in cat', { cat: ['a', 1] }, 'cat[1] must be a non-empty string; got 1; the array is removed'],
  [
    'a long entry',
    { cat: ['a', long] },
    'cat[1] has 4,118 characters, more than 255; entries that are too long are removed',
  ],
  ['too many entries', { attr: list }, 'attr has 51 entries, more than 50; the others are removed'],
  ['a fraction in attr', { attr: [1.5] }, 'attr[0] must be an integer; got 1.5; the array is removed'],
  ['cattax as a string', { cattax: '1' }, 'cattax must be an integer; got "1"; removed'],
  ['exp below 0', { exp: -1 }, 'exp must be an integer above 0; got -1; removed'],
  ['ext of another type', { ext: [] }, 'ext must be an object; got an array; removed'],
  ['dsa of another type', { ext: { dsa: 'yes' } }, 'ext.dsa must be an object; got "yes"; removed'],
  ['dsa that is too long', { ext: { dsa: { long } } }, 'ext.dsa has more than 4,096 characters; removed'],
])('%s: the report lists it as repaired', async (_member, bid, detail) => {
  expect((await reportOf(sendBid(bid))).repaired).toEqual([{ impid: '1', detail }]);
});

test('members that are absent, empty or usable are not listed as repaired', async () => {
  const bid = { id: 7, crid: 7, nurl: '', burl: null, bundle: '', adomain: [], attr: [1], exp: 0, cattax: 1, ext: {} };
  expect(await reportOf(sendBid(bid))).not.toHaveProperty('repaired');
});

test('a partner that does not respond within its timeoutMs: the report says so', async () => {
  expect(await reportOf(hangs, {}, {}, { timeoutMs: 30 })).toMatchObject({
    outcome: 'timeout',
    detail: 'It did not respond within its timeoutMs of 30.',
  });
});

test('two calls to a product service: each explains why its own impressions have no bid', async () => {
  const products = [
    { id: 'p1', title: 'Boots', url: 'https://shop.example/p1', cpm: 1, advertiserDomain: 'shop.example' },
  ];
  const search: Script = (response, _request, { url }) =>
    send(response, JSON.stringify({ products: url.includes('minOfferPrice=50') ? products : [] }));
  const [a, b] = [50, 90].map(
    (min_price) => titleRequest({}, { ext: { service_product_search: { min_price } } }).imp[0],
  );
  const imp = [
    { ...a, id: 'a' },
    { ...b, id: 'b' },
  ];
  const request = { site: { keywords: 'boots' }, badv: ['shop.example'], imp };
  const { outcome, detail } = await reportOf(search, request, {}, { adapter: 'product-search' });
  expect([outcome, ...detail!.split(/ (?=Impression)/).toSorted()]).toEqual([
    'no_bid',
    'Impression a: 1 product matches, none can bid: 1 × blocked_advertiser.',
    'Impression b: no product matches.',
  ]);
});

const floorWarnings = async (script: Script, settings: object = {}) => {
  const { warnings } = await runTest(script, titleRequest({ test: 1 }, { bidfloor: 5 }), settings);
  return warnings.map(({ message }) => message);
};

test('an impression without any bid warns of its floor if the partner responded', async () => {
  expect(await floorWarnings((response) => void response.writeHead(204).end())).toEqual([
    'no bid reached the floor of 5 USD; there was no bid at all, which may have other reasons',
  ]);
});

test.each<[string, Script, object]>([
  ['did not respond', hangs, { timeoutMs: 30 }],
  ['closed the connection', (response) => void response.destroy(), {}],
  ['sent an invalid response', (response) => send(response, '[]'), {}],
])('an impression without any bid does not warn of its floor if the partner %s', async (_what, script, settings) => {
  expect(await floorWarnings(script, settings)).toEqual([]);
});
