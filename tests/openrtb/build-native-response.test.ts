/** The native response that the exchange builds for its own demand: trackers are given as the request offers them. */
import { describe, expect, test } from '@jest/globals';
import { buildNativeResponse } from '../../src/openrtb/build-native-response.ts';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';
import type { NativeRequest } from '../../src/openrtb/native-request.ts';

const assets = [{ id: 1, required: 1 as const, title: { len: 25 } }];
const creative = { landing: 'https://shoes.example/', title: 'Trail shoes', data: new Map() };
const pixel = 'https://shoes.example/seen';

function build(native: NativeRequest, more: object): Record<string, unknown> {
  const adm = buildNativeResponse({ native, form: 'unwrapped' }, { ...creative, ...more })!;
  expect(checkNativeResponse(adm, native, 'unwrapped')).toBe(adm);
  return JSON.parse(adm) as Record<string, unknown>;
}

describe('impression trackers', () => {
  const impressionTrackers = [pixel];

  test('are imptrackers for a request that says nothing about trackers', () => {
    expect(build({ assets }, { impressionTrackers })).toMatchObject({ imptrackers: [pixel] });
  });

  test('are eventtrackers for a request that offers impressions by image', () => {
    const eventtrackers = [
      { event: 2, methods: [1] },
      { event: 1, methods: [2, 1] },
    ];
    expect(build({ assets, eventtrackers }, { impressionTrackers })).toMatchObject({
      eventtrackers: [{ event: 1, method: 1, url: pixel }],
    });
  });

  test.each([
    ['other events', [{ event: 2, methods: [1] }]],
    ['scripts', [{ event: 1, methods: [2] }]],
    ['nothing', []],
    ['what is not an offer', [null, 'pixel', { event: 1, methods: 1 }]],
  ])('are left out for a request that offers only %s', (_what, eventtrackers) => {
    const response = build({ assets, eventtrackers }, { impressionTrackers });
    expect(Object.keys(response)).toEqual(['ver', 'assets', 'link']);
  });
});

test('click trackers are part of the link', () => {
  expect(build({ assets }, { clickTrackers: [pixel] }).link).toEqual({
    url: 'https://shoes.example/',
    clicktrackers: [pixel],
  });
});

test('without trackers the response has no member for them', () => {
  expect(build({ assets }, { impressionTrackers: [], clickTrackers: [] })).toEqual({
    ver: '1.2',
    assets: [{ id: 1, title: { text: 'Trail shoes' } }],
    link: { url: 'https://shoes.example/' },
  });
});
