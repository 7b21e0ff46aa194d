/** The report of test mode: which rule a bid broke, and why a partner has no bid, with partners on real sockets. */
import { afterEach, expect, test } from '@jest/globals';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import { bidResponse, type Script, type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

async function reportOf(script: Script, request: object = {}, imp: object = {}) {
  const partner = await startPartner(script);
  started.push(partner);
  const { handle } = createAuctionExchange([{ name: 'alpha', endpoint: partner.url, test: true }]);
  const outcome = await handle(titleRequest({ test: 1, ...request }, imp));
  if (!('response' in outcome)) throw new Error(`test mode has a response; got ${outcome.kind}`);
  return outcome.response.ext!.service.partners[0]!;
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
    'Its response is not one to this request, or has more than the adapter reads.',
  ],
  [
    'more bids than are read',
    sendBid({}, ([bid]) => Array.from({ length: 51 }, () => bid!)),
    'invalid',
    'Its response is not one to this request, or has more than the adapter reads.',
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
  [
    'the request has badv, and adomain must be a list of domains to compare it with; got "bad.example"',
    { adomain: 'bad.example' },
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
