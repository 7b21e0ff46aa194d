/** Whatever a consent string claims about itself, the work to decode it is bounded by its length. */
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { Base64Url, IntEncoder } from '@iabtechlabtcf/core';
import fc from 'fast-check';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { BitReader } from '../../src/privacy/consent-string.ts';
import { readGpp } from '../../src/privacy/read-gpp.ts';
import { readTcfConsent } from '../../src/privacy/read-tcf-consent.ts';
import { redact } from '../../src/privacy/redact.ts';
import { numRuns } from '../support/num-runs.ts';

const read = jest.spyOn(BitReader.prototype, 'bit');
const skipped = jest.spyOn(BitReader.prototype, 'skip');
afterAll(() => void jest.restoreAllMocks());

/** The number of bits that a decoder reads and the number of times it skips some. */
function stepsOf(decode: (text: string) => unknown, text: string): number {
  read.mockClear();
  skipped.mockClear();
  decode(text);
  return read.mock.calls.length + skipped.mock.calls.length;
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Long runs of zeros and of ones make large numbers, in Fibonacci coding too. */
const bits = fc.oneof(fc.constantFrom('A', '_'), fc.constantFrom(...base64url.split('')));
const text = fc.string({ unit: bits, maxLength: 120 });
const sections = fc.array(fc.string({ unit: fc.oneof(bits, fc.constant('.')), maxLength: 20 }), { maxLength: 60 });

test('a GPP string takes at most 10 steps per character', () => {
  fc.assert(
    fc.property(fc.constantFrom('DBAB', 'DB__', 'DB', ''), text, sections, (start, header, content) => {
      const gpp = [start + header, ...content].join('~');
      expect(stepsOf(readGpp, gpp)).toBeLessThanOrEqual(10 * gpp.length + 100);
    }),
    { numRuns: numRuns(5_000) },
  );
});

test('a TCF string takes at most 10 steps per character', () => {
  const version2 = `C${'A'.repeat(34)}`; // up to the vendors
  fc.assert(
    fc.property(fc.constantFrom(version2, 'C', ''), fc.string({ unit: bits, maxLength: 2_000 }), (start, rest) => {
      const consent = start + rest;
      expect(stepsOf(readTcfConsent, consent)).toBeLessThanOrEqual(10 * consent.length + 100);
    }),
    { numRuns: numRuns(2_000) },
  );
});

/** A number in Fibonacci coding. */
function fibonacci(value: number): string {
  const places = [1, 2];
  while (places.at(-1)! <= value) places.push(places.at(-1)! + places.at(-2)!);
  let rest = value;
  let code = '';
  for (const place of places.slice(0, -1).toReversed()) {
    code = (place <= rest ? '1' : '0') + code;
    if (place <= rest) rest -= place;
  }
  return `${code}1`;
}

const headerOf = (...entries: string[]): string =>
  Base64Url.encode(`000011000001${IntEncoder.encode(entries.length, 12)}${entries.join('')}`);
const single = (distance: number): string => `0${fibonacci(distance)}`;
const range = (distance: number, rest: number): string => `1${fibonacci(distance)}${fibonacci(rest)}`;
const gppOf = (header: string, sections: number): string => header + '~BAAA'.repeat(sections);

describe('the header of a GPP string', () => {
  test.each([
    ['section id 1,000', gppOf(headerOf(single(1_000)), 1)],
    ['section id 1,000 in two steps', gppOf(headerOf(single(987), single(13)), 2)],
    ['50 sections', gppOf(headerOf(range(1, 49)), 50)],
  ])('may have %s', (_what, gpp) => {
    expect(readGpp(gpp)).not.toBe('undecodable');
  });

  test.each([
    ['section id 1,001', gppOf(headerOf(single(1_001)), 1)],
    ['section id 1,001 in two steps', gppOf(headerOf(single(1_000), single(1)), 2)],
    ['51 sections', gppOf(headerOf(range(1, 50)), 51)],
    ['51 sections in two ranges', gppOf(headerOf(range(1, 24), range(1, 25)), 51)],
    ['section id 2^53, where adding one changes nothing', 'DBABAAAAAAAAAAAAAAAY~x'],
    ['a number that does not end', `DBAB${'A'.repeat(96)}~x`],
    ['more entries than bits', `DB__${'_'.repeat(96)}~x`],
  ])('may not have %s', (_what, gpp) => {
    expect(readGpp(gpp)).toBe('undecodable');
  });
});

/** A valid string, grown by segments that the decoder ignores. */
const tcfOf = (length: number): string =>
  'CQNlwwAQNlwwAAfACBENCWEgAPIAAAAAABpYF5wBoAAgAEAAoAGgATABAALzAAAAAAAA.'.padEnd(length, 'A');
const gppWithTcf = (length: number): string => `DBABMA~${tcfOf(length - 'DBABMA~'.length)}`;

test('a consent string or GPP string of 8,192 characters is decoded', () => {
  expect(readTcfConsent(tcfOf(8_192))).toMatchObject({ purpose1: true });
  expect(readGpp(gppWithTcf(8_192))).toMatchObject({ us: [] });
});

test.each([
  ['user.consent', { regs: { gdpr: 1 }, user: { id: 'u', consent: tcfOf(8_193) } }],
  ['user.ext.consent', { regs: { gdpr: 1 }, user: { id: 'u', ext: { consent: tcfOf(8_193) } } }],
  ['user.consent, without GDPR,', { user: { id: 'u', consent: tcfOf(8_193) } }],
  ['user.ext.consent, without GDPR,', { user: { id: 'u', ext: { consent: tcfOf(8_193) } } }],
  ['regs.gpp', { regs: { gpp: gppWithTcf(8_193) }, user: { id: 'u' } }],
  ['regs.ext.gpp', { regs: { ext: { gpp: gppWithTcf(8_193) } }, user: { id: 'u' } }],
])('%s of 8,193 characters is not read, and the request is redacted', (_field, given) => {
  read.mockClear();
  const { request, decision } = redact(given as unknown as BidRequest);
  expect(request.user).not.toHaveProperty('id');
  expect(decision.warnings).toMatchObject([{ code: 'CONSENT_UNUSABLE' }]);
  expect(read).not.toHaveBeenCalled();
});

test('gpp_sid is read twice, however many sections the string has', () => {
  let reads = 0;
  const ids = new Proxy(
    Array.from({ length: 1_000 }, () => 5),
    {
      get(target, property) {
        if (typeof property === 'string' && /^\d+$/.test(property)) reads++;
        return Reflect.get(target, property) as unknown;
      },
    },
  );
  const regs = { gpp: gppOf(headerOf(range(1, 49)), 50), gpp_sid: ids };
  expect(redact({ id: 'r1', regs } as unknown as BidRequest).decision.warnings).toEqual([]);
  expect(reads).toBe(2_000);
});
