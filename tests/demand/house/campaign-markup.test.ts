/** The markup of house campaigns: built once per native request, and not kept longer than the request. */
import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CampaignMarkup } from '../../../src/demand/house/campaign-markup.ts';
import type { DecodedNativeRequest } from '../../../src/openrtb/native-request.ts';
import { collectAll } from '../../support/heap.ts';

const creative = { landing: 'https://shoes.example/', title: 'Trail shoes', data: new Map<number, string>() };
const requestOf = (): DecodedNativeRequest => ({
  native: { assets: [{ id: 1, title: { len: 25 } }] },
  form: 'unwrapped',
});

test('is built once per native request', () => {
  const markup = new CampaignMarkup();
  const request = requestOf();
  const first = markup.of(creative, request);
  expect(first).toBeDefined();
  expect(markup.of(creative, request)).toBe(first);
  expect(markup.of(creative, requestOf())).not.toBe(first);
});

test('of a secure impression has no http image, whichever was built first', () => {
  const markup = new CampaignMarkup();
  const request: DecodedNativeRequest = {
    native: { assets: [...requestOf().native.assets, { id: 2, img: {} }] },
    form: 'unwrapped',
  };
  const withImage = { ...creative, image: { url: 'http://shoes.example/1.jpg' } };
  const secure = { ...request, secure: true };
  expect(markup.of(withImage, request)?.rawJSON).toContain('1.jpg');
  expect(markup.of(withImage, secure)?.rawJSON).not.toContain('1.jpg');
  expect(markup.of(withImage, request)?.rawJSON).toContain('1.jpg');
});

test('is kept for 40 campaigns per native request, and built again for others', () => {
  const markup = new CampaignMarkup();
  const request = requestOf();
  const creatives = Array.from({ length: 41 }, (_, at) => ({ ...creative, title: `Trail shoes ${at}` }));
  const first = creatives.map((one) => markup.of(one, request));
  const second = creatives.map((one) => markup.of(one, request));
  expect(second).toEqual(first);
  expect(second.filter((one, at) => one === first[at])).toHaveLength(40);
});

test('is kept up to 2,000 characters, and built again if it is longer', () => {
  const markup = new CampaignMarkup();
  const request = requestOf();
  const isKept = (length: number) => {
    const short = { ...creative, landing: 'https://shoes.example/?' };
    const text = JSON.parse(markup.of(short, request)!.rawJSON) as string;
    const padded = { ...short, landing: short.landing + 'x'.repeat(length - text.length) };
    return markup.of(padded, request) === markup.of(padded, request);
  };
  expect([isKept(2_000), isKept(2_001)]).toEqual([true, false]);
});

test('does not keep native requests in memory: they may be large, and a caller can send many', async () => {
  const markup = new CampaignMarkup();
  const requests = Array.from({ length: 50 }, () => {
    const request = requestOf();
    markup.of(creative, request);
    return new WeakRef(request.native);
  });
  await nextTurn();
  collectAll();
  expect(requests.filter((request) => request.deref() !== undefined).length).toBeLessThan(5);
});
