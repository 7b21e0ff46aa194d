/** Whatever a listed field holds, it does not reach a partner without consent; everything else does, unchanged. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { redact } from '../../src/privacy/redact.ts';
import { redactedFields } from '../../src/privacy/redacted-fields.ts';
import { numRuns } from '../support/num-runs.ts';

const secret = 'planted';
/** Any JSON that contains the secret. */
const planted: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(secret),
  fc.constant([secret]),
  fc.constant({ [secret]: 1 }),
  fc.constant([{ deep: { er: secret } }]),
);
const under = (parent: string, names: string) => names.split(' ').map((name) => `${parent}.${name}`);

const identifiers = [
  ...under('user', 'id buyeruid eids ext.eids'),
  ...under('device', 'ifa didsha1 didmd5 dpidsha1 dpidmd5 macsha1 macmd5 ext.ifv ext.eids'),
  'ext.eids',
  ...under('source', 'eids ext.eids'),
  'site.ext.eids',
  'app.ext.eids',
];
const standard = [
  ...identifiers,
  ...under('user', 'yob gender keywords kwarray customdata data ext.other'),
  ...under('user.geo', 'lat lon city zip metro accuracy lastfix ipservice utcoffset ext other'),
  ...under('device', 'ext.other ip ipv6 geo.lat geo.lon geo.zip geo.ext'),
];
const child = [...standard, ...under('device.geo', 'city metro accuracy lastfix ipservice')];

/** Kept whatever applies. */
const always = [
  ...under('device', 'ua sua language devicetype os geo.country geo.region geo.type'),
  ...under('user', 'consent ext.consent geo.country geo.region geo.type'),
  ...under('site', 'domain keywords cat'),
  ...under('source', 'tid ext.schain'),
  'app.bundle',
  'app.ext.a',
  'ext.service',
  'ext.a',
  'regs.ext.a',
  'imp',
  'badv',
  'a',
];

type Json = Record<string, unknown>;

function plant(request: Json, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let target = request;
  for (const name of names) target = (target[name] ??= {}) as Json;
  target[last] = value;
}

const at = (request: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Json | undefined)?.[name], request);

const optOuts = [
  { us_privacy: '1YYN' },
  { ext: { us_privacy: '1nyn' } },
  { gpp: 'DBABLA~CAAaAAAAAABA.QA' },
  { gpp: '!' },
  { ext: { gpc: 1 } },
  { ext: { gpc: '1' } },
  { gdpr: 1 },
  { ext: { gdpr: 1 } },
  { gpp_sid: [2] },
];

/** What a request carries, and the paths that it restricts. */
const signal: fc.Arbitrary<{ carried: Json; restricted: string[] }> = fc.oneof(
  fc.constantFrom({ lmt: 1 }, { dnt: 1 }).map((device) => ({ carried: { device }, restricted: identifiers })),
  fc.constantFrom(...optOuts).map((regs) => ({ carried: { regs }, restricted: standard })),
  fc.record({ coppa: fc.constant(1), gdpr: fc.nat(1) }).map((regs) => ({ carried: { regs }, restricted: child })),
);

test('no value of a restricted field is in the request for a partner without consent, and every other field is unchanged', () => {
  const fields = fc.subarray(child, { minLength: 1 });
  fc.assert(
    fc.property(signal, fields, fc.subarray(always), planted, ({ carried, restricted }, paths, kept, value) => {
      const request = structuredClone(carried);
      for (const path of kept) plant(request, path, { kept: path });
      for (const path of paths) if (restricted.includes(path)) plant(request, path, value);
      const before = structuredClone(request);
      const view = redact(request as unknown as BidRequest).request;
      expect(JSON.stringify(view)).not.toContain(secret);
      for (const path of kept) expect([path, at(view, path)]).toEqual([path, { kept: path }]);
      expect(request).toEqual(before);
    }),
    { numRuns: numRuns(2_000) },
  );
});

const isEids = (path: string): boolean => path.split('.').at(-1) === 'eids';

/** Objects and lists with eids at any depth, beside a value that stays. */
const { value: holder } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constant({ eids: [secret], a: 1 }),
    fc.record({ ext: tie('value'), a: fc.constant(1) }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

test('eids are removed wherever they stand, and nothing else', () => {
  fc.assert(
    fc.property(signal, fc.constantFrom('imp', 'wseat', 'a'), holder, ({ carried }, name, value) => {
      const request = { ...structuredClone(carried), [name]: value };
      const before = JSON.stringify(request);
      const view = redact(request as unknown as BidRequest).request as unknown as Json;
      expect(JSON.stringify(request)).toBe(before);
      expect(JSON.stringify(view[name])).toBe(JSON.stringify(value).replaceAll(`"eids":["${secret}"],`, ''));
    }),
    { numRuns: numRuns(1_000) },
  );
});

test('fields that a signal does not restrict are unchanged', () => {
  const fields = fc.subarray(child);
  fc.assert(
    fc.property(signal, fields, ({ carried, restricted }, paths) => {
      const allowed = paths.filter((path) => !restricted.includes(path));
      const request = structuredClone(carried);
      for (const path of allowed) plant(request, path, secret);
      const view = redact(request as unknown as BidRequest).request;
      for (const path of allowed) expect([path, at(view, path)]).toEqual([path, secret]);
    }),
    { numRuns: numRuns(1_000) },
  );
});

test('of a page URL, only what is before the query string and the fragment is sent', () => {
  const url = fc.tuple(fc.webUrl(), fc.constantFrom('?', '#'), fc.webQueryParameters());
  fc.assert(
    fc.property(url, fc.constantFrom('page', 'ref'), ([start, mark, rest], field) => {
      const request = { id: 'r1', regs: { coppa: 1 }, site: { [field]: `${start}${mark}${secret}${rest}` } };
      const { site } = redact(request as unknown as BidRequest).request;
      expect(site).toEqual({ [field]: start });
    }),
    { numRuns: numRuns(500) },
  );
});

test('precise coordinates and addresses are not in the request', () => {
  const precise = fc.double({ min: -90, max: 90, noNaN: true }).filter((value) => Number(value.toFixed(2)) !== value);
  fc.assert(
    fc.property(precise, precise, fc.ipV4(), fc.ipV6(), (lat, lon, ip, ipv6) => {
      const request = { id: 'r1', regs: { us_privacy: '1YYN' }, device: { ip, ipv6, geo: { lat, lon } } };
      const { device } = redact(request as unknown as BidRequest).request as unknown as { device: Json };
      expect(device.geo).toEqual({ lat: Number(lat.toFixed(2)), lon: Number(lon.toFixed(2)) });
      expect(device.ip).toBe(`${ip.split('.').slice(0, 3).join('.')}.0`);
      const sent = ipaddr.parse(device.ipv6 as string); // of an IPv4 address in IPv6, the IPv4 network
      const host = sent.toByteArray().slice(sent.kind() === 'ipv4' ? 3 : 7);
      expect(host.filter((byte) => byte !== 0)).toEqual([]);
    }),
    { numRuns: numRuns(500) },
  );
});

test('this test and the code list the same fields', () => {
  const parents = ['user.ext', 'user.geo', 'device.ext'];
  const listed = new Set(redactedFields.map(({ path }) => path).filter((path) => !parents.includes(path)));
  const tested = child.filter((path) => !path.startsWith('user.geo.') && !path.endsWith('.other') && !isEids(path));
  expect([...listed].sort()).toEqual([...tested, 'eids', 'site.page', 'site.ref'].sort());
});
