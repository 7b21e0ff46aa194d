/** The preview shows the parts of a native ad and nothing that could run. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { imageUrl, linkUrl } from '../../src/console/logic/ad-urls.ts';
import { nativeRequestsOf, readNativeAd } from '../../src/console/logic/read-native-ad.ts';
import { numRuns } from '../support/num-runs.ts';

const request = JSON.stringify({
  native: {
    assets: [
      { id: 1, title: { len: 90 } },
      { id: 2, img: { type: 3 } },
      { id: 3, data: { type: 1 } },
      { id: 4, data: { type: 2 } },
      { id: 5, data: { type: 12 } },
      { id: 6, data: { type: 6 } },
    ],
  },
});
const native = {
  assets: [
    { id: 1, title: { text: 'A bike' } },
    { id: 2, img: { url: 'https://cdn.example/a.jpg', w: 1200, h: 627 } },
    { id: 3, data: { value: 'Oststrand' } },
    { id: 4, data: { value: 'Belt drive' } },
    { id: 5, data: { value: 'Buy' } },
    { id: 6, data: { value: '$ 900' } },
    { id: 7, video: { vasttag: '<VAST/>' } },
  ],
  link: { url: 'https://oststrand.example/bike' },
};
const card = {
  title: 'A bike',
  sponsoredBy: 'Oststrand',
  description: 'Belt drive',
  callToAction: 'Buy',
  facts: [{ label: 'Price', value: '$ 900' }],
  images: [{ label: 'Main image', url: 'https://cdn.example/a.jpg', size: '1200 × 627' }],
  hasVideo: true,
  clickUrl: 'https://oststrand.example/bike',
};

test('a wrapped and an unwrapped ad give the same card', () => {
  expect(readNativeAd(JSON.stringify({ native }), request)).toEqual(card);
  expect(readNativeAd(JSON.stringify(native), request)).toEqual(card);
});

test('types in the ad count more than those of the request', () => {
  const assets = [{ id: 3, data: { type: 3, value: '4.5' } }];
  expect(readNativeAd(JSON.stringify({ assets }), request)!.facts).toEqual([{ label: 'Rating', value: '4.5' }]);
});

test('markup that is not JSON, or no object, has no card', () => {
  expect(readNativeAd('<a href="javascript:alert(1)">', request)).toBeUndefined();
  expect(readNativeAd('7', request)).toBeUndefined();
});

test('members of any type give a card of strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (asset, link) => {
      const ad = readNativeAd(
        JSON.stringify({ assets: [asset, { title: asset, img: asset, data: asset }], link }),
        '',
      )!;
      expect(typeof ad.title).toBe('string');
      for (const { url } of ad.images) expect(typeof url).toBe('string');
    }),
    { numRuns: numRuns(300) },
  );
});

test('the native request of each impression is found by its id', () => {
  const imp = [{ id: '1', native: { request: 'a' } }, { id: '2' }, 7];
  expect(nativeRequestsOf(JSON.stringify({ imp }))).toEqual(new Map([['1', 'a'], ['2', ''], ['', '']])); // prettier-ignore
  expect(nativeRequestsOf('{')).toEqual(new Map());
});

test.each([
  ['https://a.example/x', 'https://a.example/x', 'https://a.example/x'],
  ['http://a.example/x', 'http://a.example/x', undefined],
  ['javascript:alert(1)', undefined, undefined],
  [' JaVaScRiPt:alert(1)', undefined, undefined],
  ['java\nscript:alert(1)', undefined, undefined],
  ['data:text/html,<script>', undefined, undefined],
  ['//a.example', undefined, undefined],
  ['', undefined, undefined],
])('%j becomes the link %s and the image %s', (url, link, image) => {
  expect(linkUrl(url)).toBe(link);
  expect(imageUrl(url)).toBe(image);
});
