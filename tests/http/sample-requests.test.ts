/** The console's sample of a request: built only if it is kept, bounded, and without anything that the log may not hold. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import type { AuctionSample } from '../../src/contract/console-api.ts';
import type { EndedAuction, Outcome } from '../../src/exchange/outcome.ts';
import { sampleRequests } from '../../src/http/sample-requests.ts';
import type { RequestObserver } from '../../src/http/request-observer.ts';
import type { PartnerReport } from '../../src/contract/partner-report.ts';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import type { ErrorResponse } from '../../src/openrtb/error-row.ts';

let kept: [kind: string, sample: AuctionSample][];
let counted: unknown[][];
let observed: string[];
let admits: boolean;
let observer: RequestObserver;

beforeEach(() => {
  kept = [];
  counted = [];
  observed = [];
  admits = true;
  const inner: RequestObserver = {
    admitted: () => observed.push('admitted'),
    finished: () => observed.push('finished'),
    rejected: () => observed.push('rejected'),
    ended: () => observed.push('ended'),
    connectionRefused: () => observed.push('connectionRefused'),
    responseCut: () => observed.push('responseCut'),
  };
  const recorder = {
    samples: { admits: () => admits, add: (kind: string, sample: AuctionSample) => kept.push([kind, sample]) },
    errors: { add: (...row: unknown[]) => counted.push(row) },
  };
  observer = sampleRequests(
    inner,
    recorder,
    () => 130,
    () => 1_700_000_000_000,
  );
});

const report = (more: Partial<PartnerReport> = {}): PartnerReport => ({
  name: 'alpha',
  outcome: 'bid',
  startMs: 0,
  durationMs: 5,
  bids: 1,
  rejected: [],
  lost: [],
  ...more,
});

const auctionOf = (...reports: PartnerReport[]): EndedAuction => ({
  reports: () => reports,
  deadlines: () => ({ softDeadlineMs: 140, hardDeadlineMs: 470 }),
  warnings: [],
});

const error: ErrorResponse = {
  name: 'number.min',
  status: 400,
  code: 'INVALID_FIELD_VALUE',
  message: 'Invalid field value',
  field: 'tmax',
  reason: 'must be at least 100; got 5',
};

function finish(outcome: Outcome, body: object = {}, publisher?: string): AuctionSample | undefined {
  const context = {
    requestId: 'r1',
    arrivedAtMs: 100,
    rateLimitKeys: { ip: '203.0.113.9', publisher },
    body: { value: body },
  };
  observer.finished({ context } as unknown as Request, { statusCode: 200 } as Response, { outcome, startedAtMs: 120 });
  return kept.at(-1)?.[1];
}

const noBid: Outcome = { kind: 'no_bid', auction: auctionOf(report()) };

test('the inner observer sees every request', () => {
  finish(noBid);
  observer.rejected('r2', error, { admitted: true } as never, 1);
  observer.ended('r3', { kind: 'error', error }, 5);
  observer.responseCut('timeout');
  expect(observed).toEqual(['finished', 'rejected', 'ended', 'responseCut']);
});

test('a request that is not sampled costs no report', () => {
  admits = false;
  const auction: EndedAuction = {
    reports: () => {
      throw new Error('built');
    },
    deadlines: () => {
      throw new Error('built');
    },
    warnings: [],
  };
  finish({ kind: 'no_bid', auction });
  expect(kept).toEqual([]);
});

test('a live request has its facts, winners and partners', () => {
  const response = { id: 'b1', cur: 'EUR', seatbid: [{ seat: 'alpha', bid: [{ impid: '1', price: 2.5 }] }] };
  const outcome = { kind: 'bid', response, auction: auctionOf(report()) } as unknown as Outcome;
  finish(outcome, { id: 'b1', site: { domain: 'news.example' } }, 'pub-1');
  expect(kept).toEqual([
    [
      'other',
      {
        timeMs: 1_700_000_000_000,
        requestId: 'r1',
        bidRequestId: 'b1',
        publisher: 'pub-1',
        site: 'news.example',
        test: false,
        outcome: 'bid',
        status: 200,
        durationMs: 30,
        error: null,
        winners: [{ impid: '1', partner: 'alpha', price: 2.5, currency: 'EUR' }],
        partners: [report()],
        softDeadlineMs: 140,
        hardDeadlineMs: 470,
      },
    ],
  ]);
  expect(counted).toEqual([]);
});

test('an impression without a winner is named, with what restricts demand for it, and warnings with their reason', () => {
  const response = { id: 'b1', cur: 'USD', seatbid: [{ seat: 'alpha', bid: [{ impid: '1', price: 2.5 }] }] };
  const warnings = [{ code: 'FLOOR_RAISED', field: 'imp[1].bidfloor', message: 'raised' }];
  const auction = { ...auctionOf(report()), warnings };
  const imp = [
    { id: '1', bidfloor: 1 },
    { id: '2', bidfloor: 900 },
  ];
  expect(finish({ kind: 'bid', response, auction } as unknown as Outcome, { imp })).toMatchObject({
    outcome: 'bid',
    unsold: ['2'],
    restrictions: [{ field: 'imp[1].bidfloor', reason: 'a bid needs at least 900 USD CPM' }],
    warnings: [{ code: 'FLOOR_RAISED', field: 'imp[1].bidfloor', reason: 'raised' }],
  });
});

test('an app has its bundle instead of a domain', () => {
  expect(finish(noBid, { app: { bundle: 'com.example.app' } })!.site).toBe('com.example.app');
});

describe('errors', () => {
  test('of live requests are counted and sampled', () => {
    const sample = finish({ kind: 'invalid', error }, { id: 'b1' }, 'p'.repeat(100));
    expect(counted).toEqual([['p'.repeat(100), 'INVALID_FIELD_VALUE', 'tmax', 'r1', 1_700_000_000_000]]);
    expect(kept[0]![0]).toBe('error');
    expect(sample).toMatchObject({
      status: 400,
      outcome: 'invalid',
      error: { code: 'INVALID_FIELD_VALUE', field: 'tmax', reason: 'must be at least 100; got 5' },
      partners: [],
      softDeadlineMs: null,
    });
  });

  test('of a caller without a valid key count for the publisher that it names', () => {
    const context = {
      requestId: 'r1',
      arrivedAtMs: 100,
      rateLimitKeys: { ip: '203.0.113.9', publisher: undefined },
      unauthorized: { publisher: 'pub-1' },
      body: { value: {} },
    };
    const outcome: Outcome = { kind: 'invalid', error: { ...error, status: 401, code: 'UNAUTHORIZED' } };
    observer.finished({ context } as unknown as Request, {} as Response, { outcome, startedAtMs: 120 });
    expect(counted[0]!.slice(0, 2)).toEqual(['pub-1', 'UNAUTHORIZED']);
  });

  test('of test requests are sampled as test traffic and not counted', () => {
    expect(finish({ kind: 'invalid', error }, { test: 1 })).toMatchObject({ test: true, status: 400 });
    expect(kept[0]![0]).toBe('test');
    expect(counted).toEqual([]);
  });

  test.each(['user.id', 'device.ip', 'regs.coppa'])('of %s quote no value', (field) => {
    const sample = finish({ kind: 'invalid', error: { ...error, field, reason: 'must be a string; got 42' } });
    expect(sample!.error!.reason).toBe('must be a string');
  });

  test('of requests that the app has not seen are counted and sampled', () => {
    observer.rejected('r2', { ...error, status: 429 }, { admitted: false } as never, 1);
    observer.ended('r3', { kind: 'error', error: { ...error, status: 503 } }, 5);
    expect(kept.map(([, { requestId, outcome, status }]) => [requestId, outcome, status])).toEqual([
      ['r2', 'refused', 429],
      ['r3', 'error', 503],
    ]);
    expect(counted).toHaveLength(2);
  });
});

describe('bounds', () => {
  test('of the bids of an auction: 40 in all', () => {
    const lost = Array.from({ length: 30 }, () => ({ impid: '1', price: 1 }));
    const sample = finish({
      kind: 'no_bid',
      auction: auctionOf(report({ lost }), report({ lost }), report({ lost })),
    })!;
    expect(sample.partners.map((partner) => partner.lost.length)).toEqual([30, 10, 0]);
    expect(sample.partners.map(({ omittedBids }) => omittedBids)).toEqual([undefined, 20, 30]);
  });

  test('of the partners: 50', () => {
    const reports = Array.from({ length: 51 }, () => report());
    expect(finish({ kind: 'no_bid', auction: auctionOf(...reports) })!.partners).toHaveLength(50);
  });

  test('of the winners and the warnings: 20 each; impressions beyond the 20 winners are not listed as unsold', () => {
    const imp = Array.from({ length: 21 }, (_, at) => ({ id: `${at}`, bidfloor: 1 }));
    const seatbid = [{ seat: 'alpha', bid: imp.map(({ id }) => ({ impid: id, price: 2 })) }];
    const warnings = imp.map((_, at) => ({ code: 'FLOOR_RAISED', field: `imp[${at}].bidfloor`, message: 'raised' }));
    const response = { id: 'b1', cur: 'USD', seatbid };
    const auction = { ...auctionOf(report()), warnings };
    const sample = finish({ kind: 'bid', response, auction } as unknown as Outcome, { imp })!;
    expect([sample.winners.length, sample.warnings!.length]).toEqual([20, 20]);
    expect(sample).not.toHaveProperty('unsold');
  });

  test('of a detail: 300 characters', () => {
    const rejected = [{ reason: 'below_floor', detail: 'x'.repeat(301), impid: '1' }];
    const [partner] = finish({ kind: 'no_bid', auction: auctionOf(report({ rejected })) })!.partners;
    expect(partner!.rejected[0]!.detail).toHaveLength(300);
  });
});

describe('markup of a partner', () => {
  const detailOf = (reason: string, detail: string): string => {
    const rejected = [{ reason, detail, impid: '1' }];
    return finish({ kind: 'no_bid', auction: auctionOf(report({ rejected })) })!.partners[0]!.rejected[0]!.detail;
  };

  test.each(['invalid_native', 'unsafe_markup', 'insecure_markup'])('%s quotes none of it', (reason) => {
    expect(detailOf(reason, 'link.url must be https; got "http://a.example/?uid=\\"7\\"" (required)')).toBe(
      'link.url must be https; got "…" (required)',
    );
  });

  test('other reasons keep the value that broke the rule', () => {
    expect(detailOf('blocked_advertiser', 'badv blocks adomain "a.example"')).toBe('badv blocks adomain "a.example"');
  });
});

describe('an auction without a winner', () => {
  const body = { imp: [{ id: '1', bidfloor: 900 }], badv: ['blocked.example'] };
  const restrictions = [
    { field: 'imp[0].bidfloor', reason: 'a bid needs at least 900 USD CPM' },
    { field: 'badv', reason: 'blocks 1 advertiser domain' },
  ];

  test('has the restrictions of its request', () => {
    expect(finish(noBid, body)).toMatchObject({ outcome: 'no_bid', restrictions });
  });

  test('is no_bid in test mode too, where the response has a report', () => {
    const response = { id: '1', seatbid: [], cur: 'USD' } as unknown as BidResponse;
    const outcome: Outcome = { kind: 'no_bid', response, auction: auctionOf(report({ outcome: 'no_bid', bids: 0 })) };
    expect(finish(outcome, { ...body, test: 1 })).toMatchObject({ outcome: 'no_bid', restrictions });
  });

  test('an auction with a winner, and an error, have none', () => {
    const seatbid = [{ seat: 'alpha', bid: [{ impid: '1', price: 2 }] }];
    const response = { id: '1', seatbid, cur: 'USD' } as unknown as BidResponse;
    const sold = finish({ kind: 'bid', response, auction: auctionOf(report()) }, body);
    expect(sold).toMatchObject({ outcome: 'bid', winners: [{ impid: '1' }] });
    expect(sold).not.toHaveProperty('restrictions');
    expect(finish({ kind: 'invalid', error }, body)).not.toHaveProperty('restrictions');
  });
});
