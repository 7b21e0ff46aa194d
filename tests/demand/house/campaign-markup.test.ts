/** The markup of house campaigns: built once per native request, and not kept longer than the request. */
import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CampaignMarkup } from '../../../src/demand/house/campaign-markup.ts';
import type { DecodedNativeRequest } from '../../../src/openrtb/native-request.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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

test('does not keep native requests in memory: they may be large, and a caller can send many', async () => {
  const markup = new CampaignMarkup();
  const requests = Array.from({ length: 50 }, () => {
    const request = requestOf();
    markup.of(creative, request);
    return new WeakRef(request.native);
  });
  await nextTurn();
  collectGarbage();
  expect(requests.filter((request) => request.deref() !== undefined).length).toBeLessThan(5);
});
