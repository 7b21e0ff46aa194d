/** What each partner of one auction receives, over the whole exchange. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import type { BidderCall } from '../../src/demand/adapter.ts';
import { Partner } from '../../src/demand/partner.ts';
import { adapters } from '../../src/demand/registry.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { titleRequest } from '../support/auction-exchange.ts';
import { exchangeEnvironment } from '../support/partner-environment.ts';

afterEach(() => void jest.restoreAllMocks());

/** Grants purpose 1, and consent to vendors 2, 6 and 8. */
const consent = 'COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA';

interface Vendor {
  name: string;
  adapter?: string;
  gvlId?: number;
}

const vendors: Vendor[] = [
  { name: 'granted', gvlId: 2 },
  { name: 'denied', gvlId: 7 },
  { name: 'unregistered' },
  { name: 'also-granted', gvlId: 8 },
  { name: 'also-denied', gvlId: 9 },
  { name: 'shop', adapter: 'product-search', gvlId: 6 },
];

/** Runs one auction; returns the calls by partner, and the response. */
async function trade(request: object, partners = vendors) {
  const calls: Record<string, BidderCall> = {};
  const created = partners.map(({ name, adapter = 'openrtb', gvlId }) => {
    const settings = { name, adapter, test: true, endpoint: 'http://partner.test/bid', ...(gvlId && { gvlId }) };
    const callPartner = (call: BidderCall) => {
      calls[name] = call;
      return Promise.resolve({ result: 'no_bid' } as const);
    };
    const bidder = adapters[adapter]!.createBidder(settings);
    return new Partner({
      settings,
      bidder,
      callPartner,
      learnedTimes: { deadlineMs: Infinity, roundTripMs: 0 },
      nowMs: () => 0,
      onIgnoredParam: () => {},
    });
  });
  const handle = createHandleBidRequest({
    ...exchangeEnvironment,
    runAuction: createRunAuction(created, () => 0, { partner: () => {}, bid: () => {} }),
    testPartners: created,
    defaultAuctionType: 1,
    budgets: { timeoutMs: 5_000, softTimeoutMs: 5_000 },
    nowMs: () => 0,
  });
  const outcome = await handle(request, 0);
  return { calls, outcome };
}

const personal = (more: object = {}) =>
  titleRequest({
    site: { keywords: 'running', page: 'https://rider.example/?uid=u-1' },
    user: { id: 'u-1', consent },
    device: { ip: '203.0.113.77' },
    regs: { gdpr: 1 },
    ...more,
  });

const receivers = (calls: Record<string, BidderCall>, text: string): string[] =>
  Object.entries(calls).flatMap(([name, { url, body = '' }]) => ((url + body).includes(text) ? [name] : []));

describe('where GDPR applies', () => {
  test('only vendors with consent receive personal data', async () => {
    const { calls } = await trade(personal());
    expect(Object.keys(calls)).toHaveLength(vendors.length);
    for (const value of ['u-1', '203.0.113.77']) expect(receivers(calls, value)).toEqual(['granted', 'also-granted']);
    expect(receivers(calls, '"203.0.113.0"')).toEqual(['denied', 'unregistered', 'also-denied']);
  });

  test('an auction encodes the request twice, however many partners there are', async () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    const request = personal();
    stringify.mockClear();
    await trade(request, [...vendors, ...vendors.map((one) => ({ ...one, name: `second-${one.name}` }))]);
    const encodings = stringify.mock.calls.filter(([value]) => (value as { imp?: unknown } | undefined)?.imp);
    expect(encodings).toHaveLength(2);
  });

  test('an opt-out restricts the vendors with consent too, and one encoding is enough', async () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    const request = personal({ regs: { gdpr: 1, us_privacy: '1YYN' } });
    stringify.mockClear();
    const { calls } = await trade(request);
    const encodings = stringify.mock.calls.filter(([value]) => (value as { imp?: unknown } | undefined)?.imp);
    expect(encodings).toHaveLength(1);
    expect(receivers(calls, 'u-1')).toEqual([]);
  });

  test('vendors with consent receive impressions with personal data, also if another impression is not traded', async () => {
    const request = personal();
    const [imp] = request.imp as [object];
    const eids = [{ source: 'id.example', uids: [{ id: 'e-1' }] }];
    const traded = { ...imp, ext: { eids } };
    const { calls } = await trade({ ...request, imp: [traded, { ...imp, id: 'other', bidfloorcur: 'XXX' }] });
    expect(receivers(calls, 'e-1')).toEqual(['granted', 'also-granted']);
    expect(receivers(calls, '"other"')).toEqual([]);
  });

  test('device.lmt takes the identifiers from vendors with consent, not their profile', async () => {
    const { calls } = await trade(personal({ device: { ip: '203.0.113.77', ifa: 'ifa-1', lmt: 1 } }));
    expect(receivers(calls, 'ifa-1')).toEqual([]);
    expect(receivers(calls, '203.0.113.77')).toEqual(['granted', 'also-granted']);
  });
});

test('without GDPR, every partner receives the request as it was sent', async () => {
  const { calls } = await trade(personal({ regs: { gdpr: 0 } }));
  expect(receivers(calls, '203.0.113.77')).toEqual([
    'granted',
    'denied',
    'unregistered',
    'also-granted',
    'also-denied',
  ]);
});

describe('the warnings of a test request', () => {
  const warningsOf = async (more: object, partners = vendors) => {
    const { outcome } = await trade({ ...personal(more), test: 1 }, partners);
    return 'response' in outcome ? outcome.response.ext!.service.warnings : [];
  };

  test('name the vendors without consent, each redacted field, its signal and the partners', async () => {
    expect(await warningsOf({})).toEqual([
      {
        code: 'CONSENT_UNUSABLE',
        field: 'user.consent',
        message: 'The consent string does not grant vendor consent to denied (vendor 7), also-denied (vendor 9)',
      },
      ...['user.id', 'device.ip', 'site.page'].map((field) => ({
        code: 'REDACTED',
        field,
        message: expect.stringMatching(/^GDPR without consent: .+ for denied, unregistered, also-denied$/),
      })),
    ]);
  });

  test('report every signal that restricts a field', async () => {
    const device = { ip: '203.0.113.77', lmt: 1 };
    const warnings = await warningsOf({ device, regs: { gdpr: 1, coppa: 1 } });
    const removed = 'removed for all partners';
    expect(warnings.filter(({ field }) => field === 'user.id')).toEqual([
      {
        code: 'REDACTED',
        field: 'user.id',
        message: `COPPA: ${removed}; Limit Ad Tracking: ${removed}; GDPR without consent: removed for denied, unregistered, also-denied`,
      },
    ]);
    expect(warnings.find(({ field }) => field === 'device.ip')!.message).not.toContain('Tracking');
  });

  test('are empty if every partner has consent', async () => {
    expect(await warningsOf({}, [{ name: 'granted', gvlId: 2 }])).toEqual([]);
  });

  test.each([
    ['missing', { user: { id: 'u-1' } }, 'user.ext.consent', /no consent string/],
    ['undecodable', { user: { id: 'u-1', consent: '!' } }, 'user.consent', /not a valid TCF 2 string/],
    [
      'without purpose 1',
      { user: { id: 'u-1', consent: 'CQdWToAQdWToAAfACAENAAFgAEAAAAAAAAAAAaQAQAaAAAAA' } },
      'user.consent',
      /purpose 1/,
    ],
  ])('say that consent is %s', async (_why, more, field, message) => {
    const [first, ...others] = await warningsOf(more, [{ name: 'denied', gvlId: 52 }]);
    expect(first).toEqual({ code: 'CONSENT_UNUSABLE', field, message: expect.stringMatching(message) });
    expect(others.map(({ code }) => code)).toEqual(['REDACTED', 'REDACTED', 'REDACTED']);
  });
});
