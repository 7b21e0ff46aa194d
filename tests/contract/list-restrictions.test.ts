/** What the console names as restrictions of a request. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listRestrictions, maxRestrictions, withoutWarned } from '../../src/contract/list-restrictions.ts';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { decidePrivacy } from '../../src/privacy/privacy-decision.ts';
import type { Redaction } from '../../src/privacy/redacted-fields.ts';
import { numRuns } from '../support/num-runs.ts';

test('a request without restrictions has none', () => {
  expect(listRestrictions({ id: '1', imp: [{ id: '1', bidfloor: 0 }], badv: [], regs: { coppa: 0, gdpr: 0 } })).toEqual(
    [],
  );
});

test('floors, private auctions and blocked attributes are named with their impression', () => {
  const imp = [
    { id: '1', bidfloor: 0.01 },
    { id: '2', bidfloor: 900, bidfloorcur: 'EUR', pmp: { private_auction: 1, deals: [{ id: 'd' }] } },
    { id: '3', pmp: { private_auction: 0, deals: [] }, native: { battr: [1, 2] } },
  ];
  expect(listRestrictions({ imp })).toEqual([
    { field: 'imp[0].bidfloor', reason: 'a bid needs at least 0.01 USD CPM' },
    { field: 'imp[1].bidfloor', reason: 'a bid needs at least 900 EUR CPM' },
    { field: 'imp[1].pmp.private_auction', reason: 'only bids with its deal are valid' },
    { field: 'imp[2].native.battr', reason: 'blocks 2 creative attributes' },
  ]);
});

test.each([
  [0, 'no bid is valid: the auction is private, but the impression has no deals'],
  [1, 'only bids with its deal are valid'],
  [2, 'only bids with one of its 2 deals are valid'],
])('a private auction with %i deals says which bids are valid', (count, reason) => {
  const pmp = { private_auction: 1, deals: Array.from({ length: count }, (_, id) => ({ id: `${id}` })) };
  expect(listRestrictions({ imp: [{ pmp }] })).toEqual([{ field: 'imp[0].pmp.private_auction', reason }]);
});

test('what an ad needs is named by required asset, in the text of the native request or in an object', () => {
  const assets = [
    { id: 1, required: 1, title: { len: 25 } },
    { id: 2, required: 1, img: { type: 3, wmin: 5_000, hmin: 4_000 } },
    { id: 3, required: 1, data: { type: 3 } },
    { id: 4, required: 1, video: {} },
    { id: 5, data: { type: 2 } },
    { id: 6, required: 1, img: { type: 1, w: 64, h: 64 } },
    { id: 7, required: 1, img: { type: 3, w: 1_200, h: 627, wmin: 300, hmin: 157 } },
    { id: 8, required: 1, img: { type: 3, w: 1_200, hmin: 100 } },
    { id: 9, required: 1, img: { type: 3, h: 50 } },
  ];
  const reason =
    'an ad needs a title, an image of at least 5000 × 4000, data of type 3 (rating), a video, an icon of 64 × 64, ' +
    'an image of at least 300 × 157, an image of 1200 × at least 100, an image of any × 50';
  const imp = [{ native: { request: JSON.stringify({ native: { assets } }) } }, { native: { request: { assets } } }];
  expect(listRestrictions({ imp })).toEqual([
    { field: 'imp[0].native.request', reason },
    { field: 'imp[1].native.request', reason },
  ]);
});

test('currencies and a short time are named', () => {
  expect(listRestrictions({ cur: ['KZT', 'EUR'], tmax: 120 })).toEqual([
    { field: 'cur', reason: 'prices must be in KZT or EUR' },
    { field: 'tmax', reason: 'partners have less than 120 ms' },
  ]);
});

test('impressions that are sold have no restrictions', () => {
  const imp = [
    { id: '1', bidfloor: 1 },
    { id: '2', bidfloor: 2 },
  ];
  expect(listRestrictions({ imp }, new Set(['1']))).toEqual([
    { field: 'imp[1].bidfloor', reason: 'a bid needs at least 2 USD CPM' },
  ]);
  expect(listRestrictions({ imp, badv: ['a.example'] }, new Set(['1', '2']))).toEqual([]);
});

test('lists are counted, and their values are not named', () => {
  const restrictions = listRestrictions({
    badv: ['secret.example'],
    bcat: ['IAB1', 'IAB2'],
    bapp: ['a'],
    bseat: ['s', 't'],
    regs: { coppa: 1, gdpr: 1 },
  });
  expect(restrictions.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
    'badv blocks 1 advertiser domain',
    'bcat blocks 2 categories',
    'bapp blocks 1 app',
    'bseat blocks 2 buyer seats',
    'regs.coppa partners receive the request without personal data',
    'regs.gdpr partners without consent receive no personal data',
  ]);
});

test('privacy signals are named by their field, in both places of OpenRTB', () => {
  const fieldsOf = (request: object) => listRestrictions(request).map(({ field }) => field);
  expect(
    fieldsOf({ regs: { gdpr: 0, gpp_sid: [7], us_privacy: '1YNN', ext: { gpc: '0' } }, device: { lmt: 0 } }),
  ).toEqual([]);
  expect(
    fieldsOf({ regs: { ext: { gdpr: 1, gpp_sid: [2], us_privacy: '1YYN', gpc: '1' } }, device: { dnt: 1 } }),
  ).toEqual(['regs.ext.gdpr', 'regs.ext.gpp_sid', 'regs.ext.us_privacy', 'regs.ext.gpc', 'device.dnt']);
  expect(fieldsOf({ regs: { gpp_sid: [2], us_privacy: '1YYN' }, device: { lmt: 1 } })).toEqual([
    'regs.gpp_sid',
    'regs.us_privacy',
    'device.lmt',
  ]);
});

test('the signals that are listed are those that the exchange obeys, with what they mean for partners', () => {
  const flag = fc.option(fc.constantFrom<unknown>(0, 1, '1', '0', true, false, null), { nil: undefined });
  const bit = fc.option(fc.constantFrom(0, 1, null), { nil: undefined });
  const sections = fc.option(fc.constantFrom([], [2], [7], [7, 2]), { nil: undefined });
  const usPrivacy = fc.option(fc.constantFrom('', '1YNN', '1YYN', '1nyn', '1---'), { nil: undefined });
  const signalsIn = { gdpr: bit, gpp_sid: sections, us_privacy: usPrivacy };
  const request = fc.record({
    regs: fc.record({ ...signalsIn, coppa: bit, ext: fc.record({ ...signalsIn, gpc: flag }) }),
    device: fc.record({ lmt: flag, dnt: flag }),
  });
  const reasons: Partial<Record<Redaction, string>> = {
    child: 'partners receive the request without personal data',
    standard: 'partners receive the request without personal data',
    identifiers: 'partners receive no identifiers of the user or the device',
  };
  fc.assert(
    fc.property(request, (one) => {
      const { signals, gdpr } = decidePrivacy(one as unknown as BidRequest);
      const listed = listRestrictions(one);
      const ofGdpr = listed.filter(({ reason }) => reason.startsWith('partners without consent'));
      expect(ofGdpr.length > 0).toBe(gdpr !== undefined);
      const others = listed.filter((restriction) => !ofGdpr.includes(restriction));
      expect(others.map(({ reason }) => reason)).toEqual(signals.map(({ redaction }) => reasons[redaction]));
      for (const [index, { field }] of others.entries()) expect(signals[index]!.fields).toContain(field);
    }),
    { numRuns: numRuns(500) },
  );
});

test('blocked seats do not count beside allowed ones', () => {
  expect(listRestrictions({ wseat: ['s'], bseat: ['s', 't'] })).toEqual([
    { field: 'wseat', reason: 'permits only 1 buyer seat' },
  ]);
});

test('a floor that a warning is about is not named again', () => {
  const restrictions = listRestrictions({
    imp: [{ bidfloor: 1 }, { bidfloor: 2, bidfloorcur: 'KZT' }, { bidfloor: 3 }],
  });
  const warnings = [
    { code: 'FLOOR_RAISED', field: 'imp[0].bidfloor' },
    { code: 'CURRENCY_NOT_TRADED', field: 'imp[1].bidfloorcur' },
    { code: 'FLOOR_NOT_REACHED', field: 'imp[2].bidfloor' },
  ];
  expect(withoutWarned(restrictions, warnings).map(({ field }) => field)).toEqual(['imp[2].bidfloor']);
});

test('a request of 1,000 impressions has a bounded list', () => {
  const imp = Array.from({ length: 1_000 }, () => ({ bidfloor: 1, bidfloorcur: 'x'.repeat(1_000) }));
  const restrictions = listRestrictions({ imp });
  expect(restrictions).toHaveLength(maxRestrictions);
  expect(JSON.stringify(restrictions).length).toBeLessThan(2_000);
});

test('any JSON is read without an exception', () => {
  const member = fc.jsonValue();
  const request = fc.oneof(
    fc.jsonValue(),
    fc.record({
      imp: fc.array(fc.record({ bidfloor: member, pmp: member, native: member })),
      badv: member,
      regs: member,
    }),
  );
  fc.assert(
    fc.property(request, (value) => listRestrictions(value).length <= maxRestrictions),
    { numRuns: numRuns(200) },
  );
});
