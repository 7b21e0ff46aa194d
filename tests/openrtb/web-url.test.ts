/** The URL checks compared with the URL parser, which is what browsers do. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isCustomUrl, isHttpsUrl, isWebUrl } from '../../src/openrtb/web-url.ts';
import { numRuns } from '../support/num-runs.ts';

const schemes = [
  'http',
  'https',
  'HTTPS',
  'javascript',
  'JavaScript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'market',
];
/** What browsers remove or interpret. */
const oddities = [
  '',
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u0001',
  '\u00a0',
  '/',
  '\\',
  '@',
  ':',
  '?',
  '#',
  '%',
  '[',
  ']',
  '<',
];
const part = fc.oneof(fc.constantFrom(...schemes, ...oddities, '//', 'a.example', 'x'), fc.string({ maxLength: 3 }));
/** Web URLs with an oddity at any place. */
const nearlyWeb = fc
  .tuple(fc.constantFrom('https://a.example/x', 'http://u@a.example:80?q#f'), fc.nat(26), fc.constantFrom(...oddities))
  .map(([url, at, inside]) => url.slice(0, at) + inside + url.slice(at));
const text = fc.oneof(
  nearlyWeb,
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(...oddities), fc.constantFrom(...schemes), fc.nat(10), fc.constantFrom(...oddities), part)
    .map(([before, scheme, at, inside, rest]) => `${before}${scheme.slice(0, at)}${inside}${scheme.slice(at)}:${rest}`),
);
const forbidden = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

test('a web URL is opened by http or https, never relative to the page', () => {
  let accepted = 0;
  fc.assert(
    fc.property(text, (url) => {
      if (!isWebUrl(url)) return;
      accepted++;
      const opened = URL.parse(url, 'ftp://base.example/');
      if (opened) expect(['http:', 'https:']).toContain(opened.protocol);
      expect(isHttpsUrl(url)).toBe(/^https:/i.test(url));
    }),
    { numRuns: numRuns(20_000) },
  );
  expect(accepted).toBeGreaterThan(0);
});

test('a custom URL is not opened by a forbidden scheme', () => {
  let accepted = 0;
  fc.assert(
    fc.property(text, (url) => {
      if (!isCustomUrl(url)) return;
      accepted++;
      expect([...forbidden, 'http:', 'https:']).not.toContain(URL.parse(url, 'ftp://base.example/')?.protocol);
    }),
    { numRuns: numRuns(20_000) },
  );
  expect(accepted).toBeGreaterThan(0);
});

test('every URL that the parser writes with http or https is a web URL', () => {
  fc.assert(
    fc.property(
      fc.webUrl({
        withQueryParameters: true,
        withFragments: true,
        authoritySettings: { withPort: true, withUserInfo: true, withIPv4: true, withIPv6: true },
      }),
      (url) => {
        expect(isWebUrl(url)).toBe(URL.canParse(url) && URL.parse(url)!.host !== '');
      },
    ),
    { numRuns: numRuns(5_000) },
  );
});

describe('a custom URL', () => {
  test.each(['market://details?id=1', 'intent://x#Intent;end', 'tel:+123', 'shoes+app.v1-x:open'])(
    '%s is one',
    (url) => {
      expect(isCustomUrl(url)).toBe(true);
    },
  );
  test.each(['market:', 'market: x', '1market://x', ' market://x', 'market://\n', 'HTTPS:x', 'DATA:x', 7, undefined])(
    '%s is none',
    (url) => expect(isCustomUrl(url)).toBe(false),
  );
});

test('a long URL is checked in linear time: the number of @, / and control characters does not matter', () => {
  for (const piece of ['@', ':', 'a@', '/', 'a', '\\'])
    expect(isWebUrl(`https://${piece.repeat(500_000)}\n`)).toBe(false);
});
