/** Every case of tests/privacy/cases, and what holds of every request: nothing is mutated, nothing throws. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { redact } from '../../src/privacy/redact.ts';
import { fullRequest } from '../support/full-request.ts';

interface Case {
  description: string;
  request: BidRequest;
  /** Without a request the very object that went in must come out. */
  expected: { request?: BidRequest; warnings: string[] };
}

const folder = new URL('cases/', import.meta.url);

test.each(readdirSync(folder).map((file) => file.replace(/\.json$/, '')))('%s', (claim) => {
  const { request, expected } = JSON.parse(readFileSync(new URL(`${claim}.json`, folder), 'utf8')) as Case;
  const minimised = redact(frozen(request));
  if (expected.request) expect(minimised.request).toStrictEqual(expected.request);
  else expect(minimised.request).toBe(request);
  expect(minimised.warnings.map(({ code }) => code)).toEqual(expected.warnings);
});

/** Whoever writes to it throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test.each([
  ['GDPR_CONSENT_MISSING', 'user.ext.consent', { regs: { gdpr: 1 } }],
  ['GDPR_CONSENT_UNDECODABLE', 'user.consent', { regs: { gdpr: 1 }, user: { consent: '!' } }],
  ['GDPR_CONSENT_UNDECODABLE', 'user.ext.consent', { regs: { gdpr: 1 }, user: { ext: { consent: '!' } } }],
  ['GDPR_CONSENT_UNDECODABLE', 'regs.gpp', { regs: { gdpr: 1, gpp: 'DBABMA~1YNN' } }],
  ['GPP_UNDECODABLE', 'regs.gpp', { regs: { gpp: '!' } }],
])('the warning %s names %s', (code, field, request) => {
  expect(redact(request as unknown as BidRequest).warnings).toEqual([
    { code, field, message: expect.stringMatching(/^[A-Z].+[a-z]$/) },
  ]);
});

test('what is unchanged is shared with the request that came in', () => {
  const request = { ...fullRequest, regs: { coppa: 1 } } as BidRequest;
  const { request: minimised } = redact(request);
  expect(minimised).not.toBe(request);
  expect(minimised.imp).toBe(request.imp);
  expect(minimised.ext).toBe(request.ext);
  expect(minimised.user?.ext).toBe(request.user?.ext);
});

/** Members the rules know, with values both likely and absurd, among others they do not know. */
const anyObject = (names: string[], likely: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.dictionary(fc.constantFrom(...names), anyOf(likely), { noNullPrototype: true }) },
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant(undefined),
  );
const anyOf = (likely: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom(...likely), fc.jsonValue({ maxDepth: 2 }));

const places = [{ lat: 52.370216, lon: 4.895168 }, { lat: '52.370216', lon: 1e308, country: 'NLD' }, -0.000001, 'x'];
const addresses = ['203.0.113.7', '2001:db8::1', '::ffff:203.0.113.7', '1:2:3:4:5:6:203.0.113.7', 'fe80::1%eth0', 7];
const user = anyObject(
  ['id', 'buyeruid', 'yob', 'gender', 'data', 'eids', 'geo', 'ext', 'consent', 'customdata'],
  [...places, { eids: [], consent: 'x' }, 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA'],
);
const device = anyObject(['ip', 'ipv6', 'ifa', 'macsha1', 'geo', 'ua', 'ext'], [...places, ...addresses]);
const regs = anyObject(
  ['coppa', 'gdpr', 'us_privacy', 'gpp', 'gpp_sid', 'ext'],
  [0, 1, '1YYN', '1YNN', 'DBABMA~1YNN', 'DBABLA~BVVVVVVVVRA', [7], [], { gdpr: 1, us_privacy: '1YYY' }],
);
const anyRequest = fc.record({ id: fc.constant('r1'), user, device, regs }) as unknown as fc.Arbitrary<BidRequest>;

test('any JSON in user, device and regs is survived, and never written to', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const before = JSON.stringify(request);
      redact(frozen(request));
      expect(JSON.stringify(request)).toBe(before);
    }),
    { numRuns: 3_000 },
  );
});

test('minimising again changes nothing and warns of the same', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const once = redact(request);
      const twice = redact(once.request);
      expect(twice.request).toBe(once.request);
      expect(twice.warnings).toEqual(once.warnings);
    }),
    { numRuns: 3_000 },
  );
});

test('without a privacy signal the very same request comes back', () => {
  const silent = fc.constantFrom(undefined, null, {}, { coppa: 0 }, { gdpr: 0, us_privacy: '1YNN', ext: {} });
  fc.assert(
    fc.property(anyRequest, silent, (request, regs) => {
      const given = { ...request, regs } as BidRequest;
      expect(redact(given)).toEqual({ request: given, warnings: [] });
      expect(redact(given).request).toBe(given);
    }),
    { numRuns: 1_000 },
  );
});

test('no removed member is left, whatever the values were', () => {
  const inUser = ['id', 'buyeruid', 'yob', 'gender', 'keywords', 'data', 'eids'];
  const inDevice = ['ifa', 'didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5'];
  fc.assert(
    fc.property(anyRequest, (request) => {
      const { user, device } = redact({ ...request, regs: { coppa: 1 } }).request as { user?: Any; device?: Any };
      const geos = [...namesIn(user?.geo), ...namesIn(device?.geo)];
      expect(namesIn(user).filter((name) => inUser.includes(name))).toEqual([]);
      expect(namesIn(user?.ext)).not.toContain('eids');
      expect(namesIn(device).filter((name) => inDevice.includes(name))).toEqual([]);
      expect(geos.filter((name) => name === 'lat' || name === 'lon')).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

interface Any {
  geo?: unknown;
  ext?: unknown;
}

const namesIn = (value: unknown): string[] => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
