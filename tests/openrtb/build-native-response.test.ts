/** The native response that the exchange builds for its own demand: its trackers, its bounds, and the work it takes. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildNativeResponse } from '../../src/openrtb/build-native-response.ts';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';
import { fillAsset, type Image, type NativeCreative } from '../../src/openrtb/native-creative.ts';
import type { NativeAsset, NativeRequest } from '../../src/openrtb/native-request.ts';
import { numRuns } from '../support/num-runs.ts';

const assets = [{ id: 1, required: 1 as const, title: { len: 25 } }];
const creative = { landing: 'https://shoes.example/', title: 'Trail shoes', data: new Map() };
const pixel = 'https://shoes.example/seen';

function build(native: NativeRequest, more: object): Record<string, unknown> {
  const adm = buildNativeResponse({ native, form: 'unwrapped' }, { ...creative, ...more })!;
  expect(checkNativeResponse(adm, { native, form: 'unwrapped' }, false)).toEqual({ adm, repairs: [] });
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
    ['events without methods', [{ event: 1 }]],
  ])('are left out for a request that offers only %s', (_what, eventtrackers) => {
    const response = build({ assets, eventtrackers }, { impressionTrackers });
    expect(Object.keys(response)).toEqual(['ver', 'assets', 'link']);
  });
});

test('a secure impression gets only https trackers; click trackers may be http', () => {
  const other = 'http://shoes.example/seen';
  const more = { impressionTrackers: [other, pixel], clickTrackers: [other] };
  const adm = buildNativeResponse({ native: { assets }, form: 'unwrapped', secure: true }, { ...creative, ...more })!;
  expect(JSON.parse(adm)).toMatchObject({ imptrackers: [pixel], link: { clicktrackers: [other] } });
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

describe('the size', () => {
  const data = (text: string) => new Map([[2, text]]);
  const descriptions = (count: number, more: object = {}): NativeAsset[] =>
    Array.from({ length: count }, (_, index) => ({ id: index + 2, data: { type: 2 }, ...more }));
  const request = (assets: NativeAsset[]): NativeRequest => ({ assets });
  const idsIn = (adm: string) => (JSON.parse(adm) as { assets: { id: number }[] }).assets.map(({ id }) => id);

  test('of a text is at most 2,000 characters, without half a surrogate pair', () => {
    const title = `${'t'.repeat(1_999)}😀`;
    const adm = buildNativeResponse(
      { native: request([{ id: 1, title: { len: 9_000 } }]), form: 'unwrapped' },
      { ...creative, title },
    )!;
    expect(JSON.parse(adm)).toMatchObject({ assets: [{ title: { text: 't'.repeat(1_999) } }] });
  });

  test.each(['wrapped', 'unwrapped'] as const)(
    'is at most 64 KiB: the last optional assets are left out, %s',
    (form) => {
      for (const letter of ['d', 'é', '中', '"', '\u0001']) {
        const native = request([...assets, ...descriptions(48), { id: 99, required: 1, title: { len: 5 } }]);
        const adm = buildNativeResponse({ native, form }, { ...creative, data: data(letter.repeat(3_000)) })!;
        const bytes = Buffer.byteLength(adm);
        expect(bytes).toBeLessThanOrEqual(65_536);
        expect(bytes).toBeGreaterThan(65_536 - 12_100);
        expect(checkNativeResponse(adm, { native, form }, false)).toEqual({ adm, repairs: [] });
        if (form === 'unwrapped')
          expect(idsIn(adm)).toEqual([
            1,
            ...descriptions(48)
              .map(({ id }) => id)
              .slice(0, idsIn(adm).length - 2),
            99,
          ]);
      }
    },
  );

  test('is that of the required assets at least: a creative whose texts do not fit does not serve the request', () => {
    const native = request([...assets, ...descriptions(40, { required: 1 })]);
    expect(
      buildNativeResponse({ native, form: 'unwrapped' }, { ...creative, data: data('中'.repeat(2_000)) }),
    ).toBeUndefined();
    expect(
      buildNativeResponse({ native, form: 'unwrapped' }, { ...creative, data: data('d'.repeat(1_500)) }),
    ).toBeDefined();
  });

  test('is not exceeded by trackers: there is no response', () => {
    const clickTrackers = Array.from({ length: 40 }, () => `${pixel}?${'x'.repeat(4_000)}`);
    expect(
      buildNativeResponse({ native: { assets }, form: 'unwrapped' }, { ...creative, clickTrackers }),
    ).toBeUndefined();
  });
});

describe('a creative that does not serve the request', () => {
  const text = fc.constantFrom('', 'a', '😀', 'ab', 'Trail shoes');
  const minimum = fc.option(fc.constantFrom(0, 100, 300), { nil: undefined });
  const side = fc.constantFrom(undefined, 50, 100, 400);
  const anyAsset = fc
    .record({
      required: fc.constantFrom(0 as const, 1 as const, undefined),
      kind: fc.oneof(
        fc.record({ title: fc.record({ len: fc.constantFrom(1, 2, 90) }) }),
        fc.record({
          img: fc.record({ type: fc.constantFrom(undefined, 1, 3), w: minimum, wmin: minimum, hmin: minimum }),
        }),
        fc.record({ data: fc.record({ type: fc.constantFrom(1, 2, 3), len: fc.constantFrom(undefined, 0, 1, 5) }) }),
        fc.constant({ video: {} }),
      ),
    })
    .map(({ required, kind }) => ({ required, ...kind }));
  const anyRequest = fc
    .array(anyAsset, { minLength: 1, maxLength: 5 })
    .map((all) => ({ assets: all.map((asset, id) => ({ id, ...asset })) }) as NativeRequest);
  const anyCreative: fc.Arbitrary<NativeCreative> = fc
    .record({
      title: text,
      data: fc.array(fc.tuple(fc.constantFrom(1, 2), text), { maxLength: 3 }),
      image: fc.option(fc.record({ w: side, h: side }), { nil: undefined }),
      icon: fc.option(fc.record({ w: side, h: side }), { nil: undefined }),
    })
    .map(({ title, data, image, icon }) => ({
      landing: 'https://shoes.example/',
      title,
      data: new Map(data),
      ...(image && { image: { url: 'https://shoes.example/a.png', ...image } as Image }),
      ...(icon && { icon: { url: 'https://shoes.example/i.png', ...icon } as Image }),
    }));

  test('is one that leaves a required asset unfilled, or every asset', () => {
    fc.assert(
      fc.property(anyRequest, anyCreative, (native, creative) => {
        const unfilled = native.assets.filter((asset) => !fillAsset(asset, creative));
        const serves = unfilled.length < native.assets.length && unfilled.every(({ required }) => required !== 1);
        const adm = buildNativeResponse({ native, form: 'unwrapped' }, creative);
        expect(adm !== undefined).toBe(serves);
      }),
      { numRuns: numRuns(5_000) },
    );
  });

  test.each<[string, NativeAsset]>([
    ['a required video', { id: 0, required: 1, video: {} }],
    ['a required image', { id: 0, required: 1, img: { wmin: 500 } }],
    ['required data', { id: 0, required: 1, data: { type: 12 } }],
    ['a required icon', { id: 0, required: 1, img: { type: 1 } }],
    ['optional videos only', { id: 0, video: {} }],
  ])('is recognised without visiting the assets again: %s', (_what, last) => {
    let visits = 0;
    const counted = (asset: NativeAsset) =>
      new Proxy(asset, {
        get: (target, name) => {
          visits++;
          return target[name as keyof NativeAsset];
        },
      });
    const first = last.required ? { data: { type: 2 } } : { video: {} };
    const filler = Array.from({ length: 49 }, (_, index) => ({ id: index + 1, ...first }));
    const decoded = { native: { assets: [...filler, last].map(counted) }, form: 'unwrapped' as const };
    for (let product = 0; product < 500; product++) {
      expect(buildNativeResponse(decoded, { ...creative, title: '😀', data: new Map([[2, 'd']]) })).toBeUndefined();
    }
    expect(visits).toBeLessThanOrEqual(50 * 8);
  });
});
