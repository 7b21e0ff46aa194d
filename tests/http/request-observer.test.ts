/** The log line of a request: what identifies it to its sender, and nothing personal. */
import { describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import type { SoldAuction } from '../../src/exchange/auction-log-entry.ts';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { clientClosed } from '../../src/http/client-closed.ts';
import { RequestContext } from '../../src/http/request-context.ts';
import { createRequestObserver, type LogAuction, type RequestFacts } from '../../src/http/request-observer.ts';
import type { ErrorResponse } from '../../src/openrtb/error-row.ts';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { fullRequest } from '../support/full-request.ts';

const recorder = {
  stage: () => {},
  request: () => {},
  queueDelay: () => {},
  limitDecision: () => {},
  error: () => {},
  shed: () => {},
  responseCut: () => {},
};

/** The arguments of every call of `logAuction`. */
function auctionsLogged(outcome: Outcome): Parameters<LogAuction>[] {
  const calls: Parameters<LogAuction>[] = [];
  const observer = createRequestObserver({
    recorder,
    requestLog: { admit: () => undefined, write: () => {}, writeRejected: () => {} },
    logAuction: (...call) => calls.push(call),
    nowMs: () => 0,
  });
  const context = new RequestContext('request-id', 0, 0, '127.0.0.1');
  observer.finished({ context } as Request, {} as Response, { outcome, startedAtMs: 0 });
  return calls;
}

/** The facts logged for a body. */
function logged(body: unknown): RequestFacts {
  const written: RequestFacts[] = [];
  const observer = createRequestObserver({
    recorder,
    requestLog: {
      admit: () => 0,
      write: (_request, _response, facts) => written.push(facts),
      writeRejected: () => {},
    },
    nowMs: () => 0,
  });
  const context = new RequestContext('request-id', 0, 0, '127.0.0.1');
  context.body = { value: body };
  const { site } = (body ?? {}) as { site?: { publisher?: { id?: string } } };
  context.rateLimitKeys.publisher = site?.publisher?.id;
  const validation = validateBidRequest(structuredClone(body));
  const outcome = validation.valid
    ? ({ kind: 'no_bid' } as const)
    : ({ kind: 'invalid', error: validation.error } as const);
  observer.finished({ context } as Request, {} as Response, { outcome, startedAtMs: 0 });
  return written[0]!;
}

test('has the ids that the sender knows', () => {
  expect(logged(fullRequest)).toEqual({
    requestId: 'request-id',
    outcome: 'no_bid',
    mode: 'live',
    durationMs: 0,
    publisher: 'pub-1',
    bidRequestId: 'request-1',
    siteDomain: 'rider.example',
  });
});

describe('the auction log', () => {
  const response: BidResponse = { id: 'r1', seatbid: [], cur: 'USD' };
  const sold = {} as SoldAuction;

  test('gets every auction with a winner, under the id of its request', () => {
    expect(auctionsLogged({ kind: 'bid', response, sold })).toEqual([['request-id', response, sold]]);
  });

  test.each<[string, Outcome]>([
    ['test auctions', { kind: 'bid', response }],
    ['auctions without a winner', { kind: 'no_bid' }],
    ['auctions whose caller has left', clientClosed],
  ])('does not get %s', (_name, outcome) => {
    expect(auctionsLogged(outcome)).toEqual([]);
  });
});

test('has the error as the caller got it', () => {
  expect(logged({ ...fullRequest, tmax: 7 })).toMatchObject({
    error: 'number.min',
    code: 'INVALID_FIELD_VALUE',
    field: 'tmax',
    reason: 'must be at least 100; got 7',
  });
});

test('has no character that a terminal would take for a command', () => {
  const site = { ...fullRequest.site, publisher: { id: 'pub\u009b31m\u202e' } };
  expect(logged({ ...fullRequest, site, tmax: 7 })).toMatchObject({ publisher: String.raw`pub\u{9b}31m\u{202e}` });
});

describe('the invalid share of publishers', () => {
  const { error: invalid } = validateBidRequest({ ...fullRequest, tmax: 7 }) as { error: ErrorResponse };

  /** The arguments of every call of the publisher observer. */
  function observed(outcome: Outcome, body: object = fullRequest): unknown[] {
    const calls: unknown[] = [];
    const observer = createRequestObserver({
      recorder,
      publishers: { observe: (...call) => calls.push(call) },
      requestLog: { admit: () => undefined, write: () => {}, writeRejected: () => {} },
      nowMs: () => 0,
    });
    const context = new RequestContext('request-id', 0, 0, '127.0.0.1');
    context.body = { value: body };
    context.rateLimitKeys.publisher = 'pub-1';
    observer.finished({ context } as Request, {} as Response, { outcome, startedAtMs: 0 });
    return calls;
  }

  test('counts valid and invalid requests', () => {
    expect(observed({ kind: 'no_bid' })).toEqual([['pub-1', undefined]]);
    expect(observed({ kind: 'invalid', error: invalid })).toEqual([['pub-1', invalid]]);
  });

  test.each<[string, Outcome]>([
    ['rate limited', { kind: 'refused', error: invalid }],
    ['ended with 500 or 503', { kind: 'error', error: invalid }],
    ['abandoned', clientClosed],
  ])('does not count requests that were %s', (_name, outcome) => {
    expect(observed(outcome)).toEqual([]);
  });

  test('does not count test requests', () => {
    expect(observed({ kind: 'invalid', error: invalid }, { ...fullRequest, test: 1 })).toEqual([]);
  });
});

test('cuts long ids', () => {
  const long = 'x'.repeat(1_000);
  const { publisher, bidRequestId, siteDomain } = logged({ id: long, site: { domain: long, publisher: { id: long } } });
  expect([publisher!.length, bidRequestId!.length, siteDomain!.length]).toEqual([64, 64, 253]);
});

describe.each<[string, object, string]>([
  ['user.gender', { user: { gender: 'secret-1' } }, 'secret-1'],
  ['device.geo.lat', { device: { geo: { lat: 91.234567 } } }, '91.23'],
  ['device.devicetype', { device: { devicetype: 4711 } }, '4711'],
  ['regs.us_privacy', { regs: { us_privacy: 'secret-2' } }, 'secret-2'],
])('an invalid %s', (field, members, value) => {
  test('is quoted to the caller, but not in the log', () => {
    const request = { ...fullRequest, ...members };
    const facts = logged(request);
    expect(facts.field).toBe(field);
    expect(JSON.stringify(facts)).not.toContain(value);
  });
});

test.each([null, [], 'text', { id: 7, site: 'x', app: null }])('survives the body %p', (body) => {
  expect(logged(body)).toMatchObject({ outcome: 'invalid' });
});
