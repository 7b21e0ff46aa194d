/** The warm-up sends valid and invalid requests through the whole pipeline, within its bounds, and never fails the start. */
import { expect, test } from '@jest/globals';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { createPartners } from '../../src/demand/create-partners.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { type WarmParts, type WarmUpBounds, warmUp } from '../../src/warm-up/warm-up.ts';
import { exchangeEnvironment, partnerEnvironment } from '../support/partner-environment.ts';
import { createTestExchange, type TestExchange } from '../support/test-exchange.ts';

const config = readConfig({});
const long: WarmUpBounds = { maxMs: 60_000, maxRequests: 100 };

/** Runs the warm-up against the real app; counts its outcomes and the results of its partners. */
async function run(bounds: WarmUpBounds) {
  const warnings: string[] = [];
  const partnerResults = new Set<string>();
  let exchange: TestExchange | undefined;
  const createServer = (warmConfig: Config, { limiter }: WarmParts) => {
    const partners = createPartners(warmConfig.partners!, partnerEnvironment);
    const runAuction = createRunAuction(partners, () => performance.now(), {
      partner: (name, result) => partnerResults.add(`${name} ${result}`),
      bid: () => {},
    });
    const budgets = { timeoutMs: 60_000, softTimeoutMs: 60_000 };
    const handle = createHandleBidRequest({ ...exchangeEnvironment, runAuction, budgets, defaultAuctionType: 1 });
    // As if it had just arrived: its `tmax` must not end an auction on a slow machine.
    const handleBidRequest = (body: unknown) => handle(body, performance.now() + 30_000);
    exchange = createTestExchange({}, { limiter, handleBidRequest });
    return exchange.server;
  };
  const logger = { info() {}, error() {}, warn: (_fields: object, message: string) => void warnings.push(message) };
  const responses = await warmUp(config, createServer, logger, bounds);
  return { responses, warnings, partnerResults, exchange: exchange! };
}

test('sends bid requests, of which one in five is invalid; a campaign and a remote partner bid for the others', async () => {
  const { responses, warnings, partnerResults, exchange } = await run(long);
  expect([responses, warnings]).toEqual([100, []]);
  expect(exchange.defects).toEqual([]);
  expect(partnerResults).toEqual(new Set(['house bid', 'remote bid']));
  const kinds = exchange.outcomes.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'bid')).toHaveLength(80);
  expect(kinds.filter((kind) => kind === 'invalid')).toHaveLength(20);
  expect(exchange.server.listening).toBe(false);
});

test('sends at most the given number of requests, and none after its time', async () => {
  expect((await run({ ...long, maxRequests: 7 })).responses).toBe(7);
  expect((await run({ ...long, maxMs: 0 })).responses).toBe(0);
});

test('logs a failure and resolves: the worker serves without it', async () => {
  const warnings: unknown[] = [];
  const logger = {
    info() {},
    error() {},
    warn: (fields: object, message: string) => void warnings.push({ ...fields, message }),
  };
  const defect = new Error('no server');
  const responses = await warmUp(config, () => { throw defect; }, logger); // prettier-ignore
  expect([responses, warnings]).toEqual([0, [{ err: defect, message: 'warm-up failed' }]]);
});
