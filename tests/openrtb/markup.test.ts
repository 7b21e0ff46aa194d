/** Every case of tests/openrtb/markup checks one native response against one native request; then arbitrary responses. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';
import type { MarkupReason } from '../../src/openrtb/markup-check.ts';
import type { NativeForm, NativeRequest } from '../../src/openrtb/native-request.ts';
import type { Link, NativeResponse } from '../../src/openrtb/native-response.ts';
import { expand } from '../support/case-file.ts';
import { mutated } from '../support/mutate.ts';
import { numRuns } from '../support/num-runs.ts';

interface MarkupCase {
  description: string;
  native: NativeRequest;
  form?: NativeForm;
  secure?: boolean;
  app?: boolean;
  adm: unknown;
  /** The response that is served, with the complete list of repairs, or why the bid is dropped. */
  expected: { served: unknown; repairs: string[] } | { reason: MarkupReason; detail: string };
}

const folder = fileURLToPath(new URL('markup', import.meta.url));
const cases = readdirSync(folder).map((file) => {
  const content = expand(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))) as MarkupCase;
  return [file.replace(/\.json$/, ''), content] as const;
});

test.each(cases)('%s', (_name, { native, form = 'unwrapped', secure = false, app = false, adm, expected }) => {
  const checked = checkNativeResponse(adm, { native, form, secure }, app);
  if ('reason' in checked) expect({ reason: checked.reason, detail: checked.detail() }).toEqual(expected);
  else {
    const repairs = checked.repairs.map((detail) => detail());
    expect({ served: JSON.parse(checked.adm) as unknown, repairs }).toEqual(expected);
  }
});

const native: NativeRequest = {
  ver: '1.2',
  assets: [
    { id: 1, required: 1, title: { len: 10 } },
    { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
    { id: 3, data: { type: 2, len: 5 } },
    { id: 4, img: { type: 1, w: 64, h: 64 } },
    { id: 5, video: {} },
  ],
  eventtrackers: [{ event: 1, methods: [1, 2] }],
};

const response = {
  ver: '1.2',
  assets: [
    { id: 1, title: { text: 'Trail 😀😀😀' }, link: { url: 'https://a.example/title' } },
    { id: 2, img: { url: 'https://a.example/1.jpg', w: 300, h: 157 } },
    { id: 3, data: { value: 'Light' } },
    { id: 4, img: { url: 'http://a.example/icon.png', w: 64, h: 64 } },
    { id: 5, video: { vasttag: '<VAST/>' } },
  ],
  link: { url: 'https://a.example/', fallback: 'https://a.example/f', clicktrackers: ['http://a.example/c'] },
  imptrackers: ['https://a.example/i'],
  jstracker: '<script></script>',
  eventtrackers: [{ event: 1, method: 1, url: 'http://a.example/e', customdata: { key: 'value' } }],
  privacy: 'https://a.example/privacy',
};

/** What partners try, besides the values of any mutation. */
const badUrls = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVa\tScript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'about:blank',
  '//a.example/',
  '/path',
  'https:a.example',
  'https://',
  'market://details',
  'http://a.example/plain',
];

/** One member that is a URL becomes another one. */
const withBadUrl = fc.record({ url: fc.constantFrom(...badUrls), index: fc.nat(30) }).map(({ url, index }) => {
  const texts = JSON.stringify(response).split(/(?<=")https?:[^"]*(?=")/);
  const at = index % (texts.length - 1);
  const urls = JSON.stringify(response).match(/(?<=")https?:[^"]*(?=")/g)!;
  urls[at] = JSON.stringify(url).slice(1, -1);
  return JSON.parse(texts.map((text, part) => text + (urls[part] ?? '')).join('')) as unknown;
});

describe('whatever a partner sends', () => {
  const anyResponse = fc.oneof(withBadUrl, mutated(response), withBadUrl.chain(mutated));
  const anyPlacement = fc.record({
    form: fc.constantFrom('wrapped' as const, 'unwrapped' as const),
    secure: fc.boolean(),
    isApp: fc.boolean(),
  });

  test('what is served is a native response that obeys every rule', () => {
    let served = 0;
    fc.assert(
      fc.property(anyResponse, anyPlacement, (given, { form, secure, isApp }) => {
        const checked = checkNativeResponse(JSON.stringify(given) ?? 'undefined', { native, form, secure }, isApp);
        if ('reason' in checked) {
          expect(checked.detail()).toMatch(/./);
          return;
        }
        served++;
        const root = JSON.parse(checked.adm) as NativeResponse & { native?: NativeResponse };
        expectServable(form === 'wrapped' ? root.native! : root, secure, isApp);
        expect(checked.repairs.length).toBeLessThanOrEqual(20);
        for (const detail of checked.repairs)
          expect(detail()).toMatch(/; (removed|cut|only the first is kept|link removed)$/);
        expect(checkNativeResponse(checked.adm, { native, form, secure }, isApp)).toEqual({
          adm: checked.adm,
          repairs: [],
        });
      }),
      { numRuns: numRuns(5_000) },
    );
    expect(served).toBeGreaterThan(numRuns(5_000) / 10);
  });

  const web = /^https?:\/\/[^/]/i;

  function expectServable(given: NativeResponse, secure: boolean, isApp: boolean): void {
    const ids = given.assets.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([1, 2, 3, 4, 5]).toEqual(expect.arrayContaining(ids));
    expect(ids).toEqual(expect.arrayContaining([1, 2]));
    for (const { id, title, data, img, link } of given.assets) {
      if (id === 1) expectText(title!.text, 10);
      if (id === 3) expectText(data!.value, 5);
      if (img) expect(img.url).toMatch(secure ? /^https:/i : web);
      if (link) expectLink(link, isApp);
    }
    expectLink(given.link, isApp);
    const trackers = [...(given.imptrackers ?? []), ...(given.eventtrackers ?? []).map(({ url }) => url)];
    for (const url of trackers) expect(url).toMatch(secure ? /^https:/i : web);
    if (given.privacy !== undefined) expect(given.privacy).toMatch(web);
  }

  function expectLink({ url, fallback, clicktrackers = [] }: Link, isApp: boolean): void {
    if (isApp && fallback !== undefined)
      expect(url).not.toMatch(/^[\0-\x20]*(javascript|data|vbscript|file|blob|about):/i);
    else expect(url).toMatch(web);
    for (const other of [fallback ?? 'https://none', ...clicktrackers]) expect(other).toMatch(web);
  }

  function expectText(text: string, maxLength: number): void {
    const { length } = Array.from(text);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(maxLength);
  }
});
