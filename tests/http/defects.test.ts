/**
 * Every defect has the same result: an exception at any stage of a request, however its auction ends, becomes one 500
 * with the error body and all headers, one log line with stack and request id, and one count. The next request is served.
 */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { PartnerSettings } from '../../src/demand/adapter.ts';
import type { AuctionRecorder } from '../../src/auction/run-auction.ts';
import type { RequestRecorder } from '../../src/http/request-observer.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { failing, faults, inject, injectAdapter, installFailingResponses, reach } from '../support/inject-faults.ts';
import {
  appSettings,
  exchangeEnvironment,
  partnerEnvironment,
  serverSettings,
  unlimitedAdmission,
} from '../support/partner-environment.ts';
import { bids, hangs, type Script, send, startPartner } from '../support/scripted-partner.ts';
import { until } from '../support/until.ts';

installFailingResponses();
await inject('json/parse-json', 'parseJson', 'parse');
await inject('openrtb/validate-bid-request', 'validateBidRequest', 'validate');
await inject('privacy/redact', 'redact', 'redact');
await inject('auction/check-bid', 'checkBid', 'check-bid');
await inject('auction/pick-winner', 'pickWinner', 'clearing');
await inject('exchange/build-response', 'buildResponse', 'build response');
await injectAdapter('openrtb/openrtb', 'openrtb');
await injectAdapter('house/house', 'house');

const { createRunAuction } = await import('../../src/auction/run-auction.ts');
const { createPartners } = await import('../../src/demand/create-partners.ts');
const { createHandleBidRequest } = await import('../../src/exchange/handle-bid-request.ts');
const { createApp } = await import('../../src/http/app.ts');
const { createRequestObserver } = await import('../../src/http/request-observer.ts');
const { createHttpServer } = await import('../../src/http/server.ts');
const { createRequestLog } = await import('../../src/observe/request-log.ts');
const { localLimiter } = await import('../support/local-limiter.ts');
const { titleRequest } = await import('../support/auction-exchange.ts');

interface LogLine {
  level: number;
  requestId: string;
  outcome: string;
  code: string;
  err?: { message: string; stack: string };
}

type Settings = Partial<PartnerSettings> & { name: string };

const started: { close(): void }[] = [];
afterEach(() => {
  Object.assign(faults, { armed: undefined, permanent: undefined });
  for (const one of started.splice(0)) one.close();
});

/** Longer than any test takes: an auction that ends by its time has shorter ones. */
const longBudgets = { timeoutMs: 60_000, softTimeoutMs: 30_000 };

/** The whole path of a request in one process, with one slot: a slot that leaks would make the next request a 503. */
async function startExchange(settings: Settings[], shorter: Partial<typeof longBudgets> = {}) {
  const budgets = { ...longBudgets, ...shorter };
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, written) {
      lines.push(JSON.parse(chunk.toString()) as LogLine);
      written();
    },
  });
  const counts: string[] = [];
  const results: string[] = [];
  const nowMs = () => performance.now();
  const recorder: RequestRecorder & AuctionRecorder = {
    stage: () => {},
    queueDelay: () => {},
    limitDecision: (admitted) => counts.push(`admitted ${admitted}`),
    request: (outcome) => {
      reach('observe');
      counts.push(`request ${outcome}`);
    },
    error: (code) => counts.push(`error ${code}`),
    shed: () => {},
    responseCut: () => {},
    partner: (name, result) => {
      results.push(`${name} ${result}`);
      reach('record');
    },
    bid: () => {},
  };
  const partners = createPartners(
    settings.map((one) => ({ adapter: 'openrtb', test: false, ...one })),
    { ...partnerEnvironment, budgets },
  );
  const limiter = localLimiter({ ip: 1_000_000, publisher: 1_000_000, global: 1_000_000 });
  const logger = pino(sink);
  const onDefect = (defect: unknown, requestId?: string) => logger.error({ requestId, err: defect }, 'defect');
  const failingLimiter = {
    cachedRejection: failing('request context', limiter.cachedRejection.bind(limiter)),
    decide: failing('rate limit', limiter.decide.bind(limiter)),
  };
  const requestLog = createRequestLog({ logger, sample: 0, nowMs: () => 0, random: Math.random });
  const observer = createRequestObserver({ recorder, requestLog, nowMs });
  const shared = { admission: unlimitedAdmission(), observer, onDefect };
  const app = createApp({
    limiter: failingLimiter,
    handleBidRequest: createHandleBidRequest({
      ...exchangeEnvironment,
      runAuction: createRunAuction(partners, nowMs, recorder),
      defaultAuctionType: 1,
      budgets,
    }),
    ...appSettings,
    ...shared,
  });
  const server = createHttpServer({ ...shared, ...serverSettings, app, limiter });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.push({
    close: () => {
      server.closeAllConnections();
      server.close();
      limiter.close();
    },
  });
  const { port } = server.address() as { port: number };
  const post = () =>
    fetch(`http://127.0.0.1:${port}/openrtb2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(titleRequest()),
    });
  return { lines, counts, results, post };
}

type Started = Awaited<ReturnType<typeof startExchange>>;

async function expectInternalError({ lines, counts, post }: Started, stage: string): Promise<void> {
  faults.armed = stage;
  const response = await post();
  expect(response.status).toBe(500);
  const requestId = response.headers.get('x-request-id')!;
  expect(requestId).toMatch(/^[\da-f-]{36}$/);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
  const body: unknown = await response.json();
  expectErrorBody(body, requestId);
  expect(body).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
  expect(JSON.stringify(body)).not.toContain('injected');

  await until('the line is logged', () => lines.length > 0);
  await expectNextIsServed(post, lines);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 50, requestId, outcome: 'error', code: 'INTERNAL_ERROR' });
  expect(lines[0]!.err!.stack).toContain(`injected at ${stage}`);
  expect(counts).toEqual(['request error', 'admitted true', 'error INTERNAL_ERROR', 'request bid', 'admitted true']);
}

async function expectNextIsServed(post: Started['post'], lines: LogLine[]): Promise<void> {
  const next = await post();
  expect({ status: next.status, lines }).toMatchObject({ status: 200 });
  await next.arrayBuffer();
}

const campaign = { id: 'c1', cpm: 0.5, landing: 'https://shoes.example/', title: 'Trail shoes' };
const house = { name: 'house', adapter: 'house', campaigns: [campaign] } as Settings;
async function remote(script: Script, more: object = {}) {
  const partner = await startPartner(script);
  started.push(partner);
  return { name: 'remote', endpoint: partner.url, ...more };
}

describe('an exception at the stage', () => {
  const before = ['request context', 'rate limit', 'parse', 'validate', 'redact', 'bidLocally'];
  const during = ['toRequests', 'toBids', 'check-bid', 'clearing', 'record', 'build response'];
  test.each([...before, ...during])('%s', async (stage) => {
    await expectInternalError(await startExchange([house, await remote(bids(1))]), stage);
  });
});

test('an exception while the headers are written', async () => {
  await expectInternalError(await startExchange([house]), 'write headers');
});

/** Hangs while a stage is armed, so that only the faulty auction ends in that way. */
const hangsWhileArmed: Script = (response, request, call) =>
  faults.armed === undefined ? bids(1)(response, request, call) : hangs(response, request, call);

const bidsAfter =
  (delayMs: number): Script =>
  (...args) =>
    void setTimeout(bids(1), delayMs, ...args);

describe('an exception when the auction ends', () => {
  test('synchronously', async () => {
    await expectInternalError(await startExchange([house]), 'clearing');
  });

  test('by the last response', async () => {
    await expectInternalError(await startExchange([await remote(bids(1))]), 'clearing');
  });

  /** The first partner is recorded first, so its result shows how the auction ended. */
  test('by the soft timer', async () => {
    const exchange = await startExchange([await remote(hangsWhileArmed), house], { softTimeoutMs: 60 });
    await expectInternalError(exchange, 'record');
    expect(exchange.results[0]).toBe('remote late');
  });

  test('by the deadline', async () => {
    const exchange = await startExchange([await remote(hangsWhileArmed)], { timeoutMs: 3_000 });
    await expectInternalError(exchange, 'record');
    expect(exchange.results[0]).toBe('remote timeout');
  });

  test("by a partner's own timeout", async () => {
    const late = await remote(bidsAfter(150), { name: 'slow' });
    const exchange = await startExchange([await remote(hangsWhileArmed, { timeoutMs: 30 }), late]);
    await expectInternalError(exchange, 'record');
    expect(exchange.results[0]).toBe('remote timeout'); // not late: the auction ended with the bid of the other partner
  });

  test('by the first valid bid after the soft timer', async () => {
    await expectInternalError(await startExchange([await remote(bidsAfter(100))], { softTimeoutMs: 60 }), 'check-bid');
  });
});

describe('an exception after the response has begun', () => {
  test('while its body is written closes the connection, is logged once and counted once', async () => {
    const { lines, counts, post } = await startExchange([house]);
    faults.armed = 'write body';
    await expect(post()).rejects.toThrow('fetch failed');
    await until('the line is logged', () => lines.length === 1);
    expect(lines[0]!.err!.stack).toContain('injected at write body');
    expect(counts).toEqual(['request error', 'admitted true', 'error INTERNAL_ERROR']);
    await expectNextIsServed(post, lines);
  });

  test('while it is observed leaves the response alone, is logged, and does not count the request twice', async () => {
    const { lines, counts, post } = await startExchange([house]);
    faults.armed = 'observe';
    expect((await post()).status).toBe(200);
    await until('the line is logged', () => lines.length === 1);
    expect(lines[0]!.err!.stack).toContain('injected at observe');
    expect(counts).toEqual([]);
    await expectNextIsServed(post, lines);
    expect(counts).toEqual(['request bid', 'admitted true']);
  });
});

describe('an exception at every attempt', () => {
  test('to decide the rate limit is a 500 with the error body, without rate-limit headers', async () => {
    const { lines, post } = await startExchange([house]);
    faults.permanent = 'rate limit';
    const response = await post();
    expect(response.status).toBe(500);
    expectErrorBody(await response.json(), response.headers.get('x-request-id')!);
    await until('the line is logged', () => lines.length === 1);
    expect(lines[0]!.err!.stack).toContain('injected at rate limit');
  });

  test('to observe it leaves the whole 500 to the caller, and is logged with the request id', async () => {
    const { lines, post } = await startExchange([house]);
    Object.assign(faults, { armed: 'validate', permanent: 'observe' });
    const response = await post();
    expect(response.status).toBe(500);
    const requestId = response.headers.get('x-request-id')!;
    expectErrorBody(await response.json(), requestId);
    await until('the line is logged', () => lines.length === 1);
    expect(lines[0]).toMatchObject({ requestId, err: { message: 'injected at observe' } });
    faults.permanent = undefined;
    await expectNextIsServed(post, lines);
  });
});

test('the log lines of defects are capped', async () => {
  const { lines, post } = await startExchange([house]);
  for (let i = 0; i < 15; i++) {
    faults.armed = 'validate';
    expect((await post()).status).toBe(500);
  }
  expect(lines).toHaveLength(10);
});

test('a defect names the partner and the adapter that it happened for', async () => {
  const { lines, post } = await startExchange([
    await remote((response, request) => send(response, JSON.stringify({ id: request.id }))),
  ]);
  faults.armed = 'toBids';
  await post();
  await until('the line is logged', () => lines.length === 1);
  expect(lines[0]!.err!.message).toContain('adapter openrtb failed in toBids for partner remote');
});
