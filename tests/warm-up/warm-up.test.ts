/** The warm-up sends valid and invalid requests through the server, within its bounds, and never fails the start. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { createPartners } from '../../src/demand/create-partners.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { createSwappable, type BidPipeline } from '../../src/warm-up/swappable-pipeline.ts';
import { type WarmParts, type WarmUpBounds, warmUp } from '../../src/warm-up/warm-up.ts';
import { localLimiter } from '../support/local-limiter.ts';
import { exchangeEnvironment, partnerEnvironment } from '../support/partner-environment.ts';
import { createTestExchange } from '../support/test-exchange.ts';

const config = readConfig({});
const long: WarmUpBounds = { maxMs: 60_000, maxRequests: 100, responseTimeoutMs: 60_000 };

/** A pipeline that records the outcomes of its requests. */
function recording(): BidPipeline & { outcomes: string[] } {
  const outcomes: string[] = [];
  return {
    outcomes,
    limiter: localLimiter({ ip: 1, publisher: 1, global: 1 }),
    handleBidRequest: () => Promise.reject(new Error('a request of the warm-up reached the real demand')),
    observer: {
      admitted() {},
      finished: (_request, _response, { outcome }) => void outcomes.push(outcome.kind),
      rejected: () => void outcomes.push('rejected'),
      ended: () => void outcomes.push('ended'),
      connectionRefused: () => void outcomes.push('connection refused'),
      responseCut: () => void outcomes.push('response cut'),
    },
  };
}

async function run(bounds: WarmUpBounds, createHandle = createHandleBidRequest, onWarning = () => {}) {
  const logged: object[] = [];
  const partnerResults = new Set<string>();
  const [real, warm] = [recording(), recording()];
  const swappable = createSwappable(real);
  const { server, defects } = createTestExchange({}, swappable.pipeline);
  const createPipeline = (warmConfig: Config, { limiter }: WarmParts): BidPipeline => {
    const partners = createPartners(warmConfig.partners!, partnerEnvironment);
    const runAuction = createRunAuction(partners, () => performance.now(), {
      partner: (name, result) => void partnerResults.add(`${name} ${result}`),
      bid: () => {},
    });
    const budgets = { timeoutMs: 60_000, softTimeoutMs: 60_000 };
    const handle = createHandle({ ...exchangeEnvironment, runAuction, budgets, defaultAuctionType: 1 });
    // As if it arrived later: its `tmax` must not end an auction on a slow machine.
    return { limiter, observer: warm.observer, handleBidRequest: (body) => handle(body, performance.now() + 30_000) };
  };
  const warn = (fields: object, message: string) => {
    logged.push({ ...fields, message });
    onWarning();
  };
  const logger = { info() {}, error() {}, warn };
  const responses = await warmUp(config, server, swappable, createPipeline, logger, bounds);
  return { responses, logged, partnerResults, defects, real, warm, swappable };
}

/** Resolves after this many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

test('sends valid and invalid requests of several kinds; campaigns, a remote partner and a product service bid for the valid ones', async () => {
  const { responses, logged, partnerResults, defects, warm } = await run(long);
  expect({ responses, logged, defects }).toEqual({ responses: 100, logged: [], defects: [] });
  expect([...partnerResults]).toEqual(expect.arrayContaining(['house bid', 'remote bid', 'shop bid'])); // on a slow machine some are late
  const count = (kind: string) => warm.outcomes.filter((outcome) => outcome === kind).length;
  expect(count('invalid')).toBe(37);
  expect(count('bid')).toBeGreaterThanOrEqual(57); // of 63, six are large: on a slow machine they may wait too long
});

test('no request reaches the parts that serve, which are in use again afterwards', async () => {
  const { real, swappable } = await run({ ...long, maxRequests: 10 });
  expect(real.outcomes).toEqual([]);
  expect(swappable.current()).toBe(real);
  expect(swappable.pipeline.observer).toEqual(real.observer);
});

test('sends at most the given number of requests, and none after its time', async () => {
  expect((await run({ ...long, maxRequests: 7 })).responses).toBe(7);
  expect((await run({ ...long, maxMs: 0 })).responses).toBe(0);
});

test('requests that are in progress when it fails end before the parts that serve are in use', async () => {
  const failed = Promise.withResolvers<void>();
  const handled = Promise.withResolvers<{ kind: 'no_bid' }>();
  let isOver = false;
  const running = run({ ...long, responseTimeoutMs: 50 }, () => () => handled.promise, failed.resolve).finally(
    () => (isOver = true),
  );
  await failed.promise;
  await turns(100); // it closes its connections
  expect(isOver).toBe(false);
  handled.resolve({ kind: 'no_bid' });
  const { responses, logged, real, warm } = await running;
  expect([responses, logged]).toEqual([0, [expect.objectContaining({ message: 'warm-up failed' })]]);
  await turns(10); // a request that outlasted it would be observed
  expect(real.outcomes).toEqual([]);
  expect(warm.outcomes.length).toBeGreaterThan(0);
});

test('logs a failure and resolves: the worker serves without a warm-up', async () => {
  const defect = new Error('no pipeline');
  const { responses, logged, real, swappable } = await run(long, () => {
    throw defect;
  });
  expect([responses, logged]).toEqual([0, [{ err: defect, message: 'warm-up failed' }]]);
  expect(swappable.current()).toBe(real);
});
