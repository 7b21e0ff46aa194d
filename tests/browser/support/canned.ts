/** Canned data of a healthy exchange. */
import type { AuctionPartner, AuctionSample, Example, TryResult } from '../../../src/contract/console-api.ts';
import type { FakeData } from './fake-admin.ts';
import { liveSample } from './samples.ts';

const nativeRequest = {
  ver: '1.2',
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, img: { type: 3, wmin: 600, hmin: 314 } },
    { id: 3, data: { type: 1 } },
    { id: 4, data: { type: 12 } },
  ],
};

export const bidRequest = {
  id: 'req-1',
  imp: [{ id: '1', native: { request: JSON.stringify(nativeRequest), ver: '1.2' }, bidfloor: 0.5 }],
  site: { domain: 'news.example', publisher: { id: 'pub-42' } },
};

const example = (name: string, title: string, body: object): Example => ({
  name,
  title,
  body: JSON.stringify(body, undefined, 2),
});

export const examples = [
  example('level-1', 'Level 1: basic OpenRTB', bidRequest),
  example('invalid', 'Invalid request', { ...bidRequest, imp: [{ ...bidRequest.imp[0]!, bidfloor: '0.5' }] }),
];

export const partners: AuctionPartner[] = [
  { name: 'alpha', outcome: 'late', startMs: 0.4, durationMs: 151, deadlineMs: 149, bids: 0, rejected: [], lost: [] },
  { name: 'beta', outcome: 'bid', startMs: 0.5, durationMs: 42.7, deadlineMs: 149, bids: 1, rejected: [], lost: [] },
  {
    name: 'delta',
    outcome: 'bid',
    startMs: 0.6,
    durationMs: 90.1,
    deadlineMs: 149,
    bids: 1,
    rejected: [{ reason: 'blocked_advertiser', detail: 'badv contains fairlead.example', impid: '1' }],
    lost: [],
  },
  { name: 'gamma', outcome: 'no_bid', startMs: 0.6, durationMs: 30, deadlineMs: 149, bids: 0, rejected: [], lost: [] },
  {
    name: 'house',
    outcome: 'bid',
    startMs: 0.1,
    durationMs: 0.02,
    bids: 1,
    rejected: [],
    lost: [{ impid: '1', price: 0.6 }],
  },
];

export const ad = {
  native: {
    assets: [
      { id: 1, title: { text: 'A desk that gets up when you do' } },
      { id: 2, img: { url: 'https://uprise.example/desk.jpg', w: 1200, h: 627 } },
      { id: 3, data: { value: 'Uprise' } },
      { id: 4, data: { value: 'See models' } },
    ],
    link: { url: 'https://uprise.example/standing-desk' },
  },
};

export const warnings = [
  {
    code: 'CONSENT_UNUSABLE',
    field: 'user.ext.consent',
    message: 'GDPR applies, but the request carries no consent string',
  },
];

export function bidResult(
  overrides: { adm?: unknown; partners?: unknown; warnings?: unknown; seatbid?: unknown } = {},
): TryResult {
  const bid = {
    id: 'b',
    impid: '1',
    price: 1.79,
    adm: JSON.stringify(overrides.adm ?? ad),
    adomain: ['uprise.example'],
  };
  const service = {
    test: true,
    valid: true,
    integrationLevel: 1,
    warnings: overrides.warnings ?? [],
    softDeadlineMs: 150,
    hardDeadlineMs: 500,
    partners: overrides.partners ?? partners,
  };
  return {
    status: 200,
    headers: [
      ['X-Request-Id', 'request-1'],
      ['Content-Type', 'application/json; charset=utf-8'],
    ],
    durationMs: 151.3,
    body: JSON.stringify({
      id: 'req-1',
      seatbid: overrides.seatbid ?? [{ seat: 'beta', bid: [bid] }],
      cur: 'USD',
      ext: { service },
    }),
  };
}

export function errorResult(errors: { code: string; field?: string; reason: string }[]): TryResult {
  const [first] = errors;
  const details = { field: first!.field, reason: first!.reason, errors };
  const error = { code: first!.code, message: 'Invalid field type', details, request_id: 'request-2' };
  return { status: 400, headers: [['X-Request-Id', 'request-2']], durationMs: 2.1, body: JSON.stringify({ error }) };
}

const auction = (index: number, overrides: Partial<AuctionSample> = {}): AuctionSample => ({
  timeMs: Date.UTC(2026, 0, 5, 12, 0, 60 - index),
  requestId: `request-${index}`,
  bidRequestId: `req-${index}`,
  publisher: 'pub-42',
  site: 'news.example',
  test: false,
  outcome: 'bid',
  status: 200,
  durationMs: 151.3,
  error: null,
  winners: [{ impid: '1', partner: 'beta', price: 1.79, currency: 'USD' }],
  partners,
  softDeadlineMs: 150,
  hardDeadlineMs: 500,
  ...overrides,
});

export const auctions = [
  auction(1, { test: true }),
  auction(2, {
    outcome: 'invalid',
    status: 400,
    error: { code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', reason: 'must be a number; got a string' },
    winners: [],
    partners: [],
    softDeadlineMs: null,
    hardDeadlineMs: null,
  }),
  auction(3),
];

export function healthy(): FakeData {
  const start = Math.floor(Date.now() / 1_000) - 900;
  let second = start + 900;
  return {
    examples,
    tryResult: bidResult(),
    history: {
      targetsMs: { p50: 50, p95: 150, p99: 200 },
      samples: Array.from({ length: 900 }, (_, index) => liveSample(start + index)),
    },
    nextSample: () => liveSample(second++),
    auctions: { auctions },
    errors: {
      errors: [
        {
          publisher: 'pub-42',
          code: 'INVALID_FIELD_TYPE',
          field: 'imp[0].bidfloor',
          count: 1_204,
          latestRequestId: 'request-2',
          latestMs: Date.UTC(2026, 0, 5, 12),
        },
        {
          publisher: null,
          code: 'INVALID_REQUEST',
          field: null,
          count: 7,
          latestRequestId: 'request-9',
          latestMs: Date.UTC(2026, 0, 5, 11),
        },
      ],
    },
    openApi: {
      openapi: '3.1.0',
      info: { title: 'Gavel', version: '0.1.0' },
      paths: {
        '/openrtb2': {
          post: {
            summary: 'Request bids',
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['id'],
                    properties: { id: { type: 'string', minLength: 1, maxLength: 128 } },
                  },
                },
              },
            },
            responses: {
              200: { description: 'A bid response.' },
              400: {
                description: 'The request is invalid.',
                content: {
                  'application/json': {
                    examples: {
                      type: {
                        value: { error: { code: 'INVALID_FIELD_TYPE', message: 'Invalid field type', details: {} } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  };
}
