/** Runs every case in tests/privacy/cases, and checks properties of all requests: no mutation, no exception. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { redact, type RedactedRequest } from '../../src/privacy/redact.ts';
import { fullRequest } from '../support/full-request.ts';
import { numRuns } from '../support/num-runs.ts';

interface Case {
  description: string;
  /** The vendor id of the partner whose view is expected. */
  gvlId?: number;
  request: BidRequest;
  /** If `request` is absent, the result must be the same object as the input. */
  expected: { request?: BidRequest; warnings: string[] };
}

const folder = new URL('cases/', import.meta.url);

test.each(readdirSync(folder).map((file) => file.replace(/\.json$/, '')))('%s', (name) => {
  const { request, gvlId, expected } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Case;
  const redacted = redact(deepFreeze(request));
  const view = viewFor(redacted, gvlId);
  if (expected.request) expect(view).toStrictEqual(expected.request);
  else expect(view).toBe(request);
  expect(redacted.decision.warnings.map(({ code }) => code)).toEqual(expected.warnings);
});

/** What the partner with this vendor id receives. */
const viewFor = ({ request, consented }: RedactedRequest, gvlId?: number): BidRequest =>
  gvlId !== undefined && consented?.hasConsent(gvlId) ? consented.request : request;

/** Makes every write throw. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

test.each([
  ['CONSENT_UNUSABLE', 'user.ext.consent', { regs: { gdpr: 1 } }],
  ['CONSENT_UNUSABLE', 'user.consent', { regs: { gdpr: 1 }, user: { consent: '!' } }],
  ['CONSENT_UNUSABLE', 'user.ext.consent', { regs: { gdpr: 1 }, user: { ext: { consent: '!' } } }],
  ['CONSENT_UNUSABLE', 'regs.gpp', { regs: { gdpr: 1, gpp: 'DBABMA~1YNN' } }],
  ['CONSENT_UNUSABLE', 'regs.gpp', { regs: { gpp: '!' } }],
])('warning %s has field %s', (code, field, request) => {
  expect(redact(request as unknown as BidRequest).decision.warnings).toEqual([
    { code, field, message: expect.stringMatching(/^[A-Z].+[a-z]$/) },
  ]);
});

test('the redacted copy shares unchanged parts with the original request', () => {
  const request = { ...fullRequest, regs: { coppa: 1 } } as BidRequest;
  const { request: redacted } = redact(request);
  expect(redacted).not.toBe(request);
  expect(redacted.imp).toBe(request.imp);
  expect(redacted.ext).toBe(request.ext);
  expect(redacted.regs).toBe(request.regs);
  expect(redacted.user?.ext).toBe(request.user?.ext);
});

/** Objects with known and unknown fields, whose values are plausible or arbitrary JSON. */
const anyObject = (names: string[], plausible: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.dictionary(fc.constantFrom(...names), anyOf(plausible), { noNullPrototype: true }) },
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant(undefined),
  );
const anyOf = (plausible: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom(...plausible), fc.jsonValue({ maxDepth: 2 }));

const locations = [{ lat: 52.370216, lon: 4.895168 }, { lat: '52.370216', lon: 1e308, country: 'NLD' }, -0.000001, 'x'];
const addresses = ['203.0.113.7', '2001:db8::1', '::ffff:203.0.113.7', '1:2:3:4:5:6:203.0.113.7', 'fe80::1%eth0', 7];
const user = anyObject(
  ['id', 'buyeruid', 'yob', 'gender', 'data', 'eids', 'geo', 'ext', 'consent', 'customdata'],
  [...locations, { eids: [], consent: 'x' }, 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA'],
);
const device = anyObject(['ip', 'ipv6', 'ifa', 'macsha1', 'geo', 'ua', 'ext'], [...locations, ...addresses]);
const regs = anyObject(
  ['coppa', 'gdpr', 'us_privacy', 'gpp', 'gpp_sid', 'ext'],
  [0, 1, '1YYN', '1YNN', 'DBABMA~1YNN', 'DBABLA~BVVVVVVVVRA', [7], [], { gdpr: 1, us_privacy: '1YYY' }],
);
const anyRequest = fc.record({ id: fc.constant('r1'), user, device, regs }) as unknown as fc.Arbitrary<BidRequest>;

test('accepts any JSON in user, device and regs, and never mutates it', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const before = JSON.stringify(request);
      redact(deepFreeze(request));
      expect(JSON.stringify(request)).toBe(before);
    }),
    { numRuns: numRuns(3_000) },
  );
});

test('is idempotent: redacting twice changes nothing and gives the same warnings', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const once = redact(request);
      const twice = redact(once.request);
      expect(twice.request).toBe(once.request);
      expect(twice.decision).toEqual({ ...once.decision, gdpr: twice.decision.gdpr });
    }),
    { numRuns: numRuns(3_000) },
  );
});

test('returns the same object if no privacy signal applies', () => {
  const noSignal = fc.constantFrom(undefined, null, {}, { coppa: 0 }, { gdpr: 0, us_privacy: '1YNN', ext: {} });
  fc.assert(
    fc.property(anyRequest, noSignal, (request, regs) => {
      const input = { ...request, regs } as BidRequest;
      expect(redact(input)).toEqual({ request: input, decision: { signals: [], redaction: 'none', warnings: [] } });
      expect(redact(input).request).toBe(input);
    }),
    { numRuns: numRuns(1_000) },
  );
});
