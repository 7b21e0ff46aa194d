/** Agent URLs are read like the URL parser reads them, but each one once, and no long host outside ASCII by that parser. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { formatKey, formatKeys } from '../../src/openrtb/adcp-format.ts';
import { readAgentUrl } from '../../src/openrtb/agent-url.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { fullRequest } from '../support/full-request.ts';
import { numRuns } from '../support/num-runs.ts';

/** The canonical form as the URL parser gives it. */
function canonicalOf(text: string): string {
  const url = new URL(text);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}

const host = fc.oneof(
  fc.domain(),
  fc.constantFrom(
    'A.Example',
    '[2001:DB8::1]',
    '127.1',
    '0x7f.0.0.1',
    '%61.example',
    'xn--bcher-kva.example',
    '[::1',
    'a.[::1].b',
    'a',
  ),
);
const port = fc.constantFrom('', '', ':', ':443', ':8443', ':08443', ':65536', ':x', ':1:2');
const userInfo = fc.constantFrom('', '', 'user@', 'user:pass@', 'a@b@', ':@');
const rest = fc.oneof(
  fc.constantFrom('', '/', '?', '#', '?q#f', '/a/../b', '/./', '/%7Ea', '/a@b:1', '#/?@', '/é', '?:@'),
  fc.webPath(),
  fc.string({ maxLength: 20 }),
);

const asciiUrl = fc
  .tuple(fc.constantFrom('https://', 'HTTPS://'), userInfo, host, port, rest)
  .map((parts) => parts.join(''));

test('a URL with a host in ASCII has the canonical form of the URL parser, or is invalid', () => {
  let valid = 0;
  fc.assert(
    fc.property(asciiUrl, (text) => {
      const url = readAgentUrl(text);
      if ('canonical' in url) {
        valid++;
        expect(url.canonical).toBe(canonicalOf(text));
      } else if (URL.canParse(text)) {
        // What the parser would silently correct or drop.
        expect(text).toMatch(/[\s\\<>"{}|^`]|\.\.|^https:\/\/[:@]|@\./i);
      }
    }),
    { numRuns: numRuns(5_000) },
  );
  expect(valid).toBeGreaterThan(100);
});

const letters = fc.constantFrom(...'äßçñøабвгд中文字かなカナ한글אבجدกข𠀋é-Ⅷ☕a1'.split(/(?:)/u));
const international = fc
  .tuple(fc.constantFrom('é', 'я', '中'), fc.string({ unit: letters, maxLength: 20 }))
  .map((parts) => parts.join(''));

test('every host outside ASCII that the URL parser accepts is accepted', () => {
  fc.assert(
    fc.property(fc.array(international, { minLength: 1, maxLength: 3 }), port, (labels, port) => {
      const text = `https://${labels.join('.')}.example${port}/path`;
      fc.pre(URL.canParse(text));
      expect(readAgentUrl(text)).toHaveProperty('canonical');
    }),
    { numRuns: numRuns(2_000) },
  );
});

describe('the URL parser', () => {
  const parse = jest.spyOn(URL, 'parse');
  beforeEach(() => void parse.mockClear());
  afterEach(() => void parse.mockClear());

  const request = (formats: { agent_url: string; id: string }[]) => {
    const imps = Array.from({ length: 10 }, (_, index) => ({
      ...fullRequest.imp[0]!,
      id: String(index),
      ext: { service: { adcpFormats: formats.slice(index * 50, index * 50 + 50) } },
    }));
    return { ...fullRequest, imp: imps };
  };

  test('sees each URL of a request once: when it is validated, not again when formats are compared', () => {
    const formats = Array.from({ length: 500 }, (_, index) => ({ agent_url: `https://${index}.example/`, id: 'a' }));
    expect(validateBidRequest(request(formats))).toMatchObject({ valid: true });
    formats.map(formatKey);
    expect(parse).toHaveBeenCalledTimes(500);
  });

  test('never sees a host outside ASCII', () => {
    const distinct = (from: number) =>
      Array.from({ length: 253 }, (_, index) => String.fromCodePoint(0x4e00 + from + index)).join('');
    const formats = Array.from({ length: 500 }, (_, index) => ({ agent_url: `https://${distinct(index)}/`, id: 'a' }));
    expect(validateBidRequest(request(formats))).toMatchObject({ valid: true });
    for (const [text] of parse.mock.calls) expect(text).toMatch(/^[\x20-\x7e]+$/);
  });

  test.each([
    ['2,049 characters', `https://a.example/${'é'.repeat(2_031)}`],
    ['a host of 254 characters', `https://${'é'.repeat(254)}/`],
    ['a colon in brackets within its host', `https://a.[::1].${'é'.repeat(254)}/`],
    ['a colon in brackets behind its host', `https://[::1]${'é'.repeat(254)}/`],
    ['a colon in brackets within its port', `https://a:[${'é'.repeat(254)}]/`],
    ['a host of 254 characters after user information', `https://user@${'a'.repeat(254)}:443/`],
  ])('does not see a URL of %s', (_what, agent_url) => {
    expect(validateBidRequest(request([{ agent_url, id: 'a' }]))).toMatchObject({ valid: false });
    expect(parse).not.toHaveBeenCalled();
  });
});

test('a campaign matches an international host in either spelling', () => {
  const format = (agent_url: string) => ({ agent_url, id: 'a' });
  const keys = formatKeys(format('https://xn--bcher-kva.example/'));
  expect(keys).toContain(formatKey(format('https://Bücher.example')));
  expect(keys).toContain(formatKey(format('https://xn--bcher-kva.example')));
  expect(formatKeys(format('https://creative.example/'))).toHaveLength(1);
});
