/** No text of a partner makes the response ill-formed: strict JSON parsers would reject the bids of all other partners with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { readPartnersFile } from '../../src/config/partners-file.ts';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import { bidResponse, type Script, type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

const broken = '\ud800';
const url = `https://adv.example/${broken}`;
const adm = JSON.stringify({
  assets: [{ id: 1, title: { text: `An offer ${broken}` }, link: { url, clicktrackers: [url] } }],
  link: { url, fallback: url },
  imptrackers: [url],
  privacy: url,
});
const texts = { id: broken, crid: broken, cid: broken, bundle: broken, language: broken };
const members = { ...texts, adm, nurl: url, burl: url, lurl: url, adomain: [broken], cat: [broken] };
const bidsBroken: Script = (response, request) => {
  const body = bidResponse(request, 2.5, { ...members, ext: { dsa: { [broken]: broken } } });
  send(response, JSON.stringify({ ...body, seatbid: [{ ...body.seatbid[0], seat: broken }] }));
};
const product = { id: broken, title: broken, url, cpm: 3, brand: broken, imageUrl: url, advertiserDomain: broken };
const sellsBroken: Script = (response) => send(response, JSON.stringify({ products: [product] }));

async function respond(settings: object, script: Script, request: object): Promise<BidResponse> {
  const partner = await startPartner(script);
  started.push(partner);
  const { handle } = createAuctionExchange([{ name: 'alpha', endpoint: partner.url, test: true, ...settings }]);
  const outcome = await handle(request);
  if (!('response' in outcome)) throw new Error(`expected a response; got ${outcome.kind}`);
  return outcome.response;
}

/** `JSON.stringify` escapes unpaired surrogates only; the markup is JSON in JSON. */
function expectWellFormed(response: BidResponse): void {
  expect(JSON.stringify(response)).not.toMatch(/\\ud[89a-f]/);
}

const keywords = { site: { domain: 'rider.example', keywords: 'shoes' } };

test.each<[kind: string, settings: object, script: Script]>([
  ['bids', {}, bidsBroken],
  ['products', { adapter: 'product-search', cacheMs: 0, cacheSize: 0 }, sellsBroken],
])('unpaired surrogates in %s are replaced', async (_kind, settings, script) => {
  const response = await respond(settings, script, titleRequest(keywords));
  expect(response.seatbid).toHaveLength(1);
  expectWellFormed(response);
  expectWellFormed(await respond(settings, script, titleRequest({ ...keywords, test: 1 })));
});

test('the report of test mode on a dropped bid is well-formed, also where an impid is cut', async () => {
  for (const impid of [broken, `${'x'.repeat(254)}😀`]) {
    const script: Script = (response, request) => send(response, JSON.stringify(bidResponse(request, 2.5, { impid })));
    const response = await respond({}, script, titleRequest({ test: 1 }));
    expect(response.ext?.service.partners[0]!.rejected).toHaveLength(1);
    expectWellFormed(response);
  }
});

test('texts of campaigns are well-formed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partners-'));
  const campaign = { id: broken, cpm: 1, landing: url, title: broken };
  const partners = [{ name: 'house', adapter: 'house', campaigns: [campaign] }];
  writeFileSync(join(folder, 'partners.json'), JSON.stringify({ partners }));
  const read = readPartnersFile(join(folder, 'partners.json'));
  rmSync(folder, { recursive: true });
  const replaced = { id: '\ufffd', landing: 'https://adv.example/\ufffd', title: '\ufffd' };
  expect(read).toMatchObject({ partners: [{ campaigns: [replaced] }] });
});
