/** The exchange that the cases run against: the real app on a real socket, the demand of demand.json, high limits. */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import { readPartnersFile } from '../../src/config/partners-file.ts';
import { readPublishers } from '../../src/config/publishers-file.ts';
import { createPartners } from '../../src/demand/create-partners.ts';
import { createHandleBidRequest, type Exchange } from '../../src/exchange/handle-bid-request.ts';
import { type AppParts, createApp } from '../../src/http/app.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { BodyBuffers } from '../../src/http/body-buffers.ts';
import type { RequestObserver } from '../../src/http/request-observer.ts';
import type { Limits } from '../../src/limits/rate-limiter.ts';
import { createRates } from '../../src/money/rates.ts';
import type { Control } from '../../src/overload/admission-control.ts';
import { Pacer } from '../../src/pacing/pacer.ts';
import { directoryOf, type PublisherDirectory } from '../../src/publishers/publisher-directory.ts';
import { localLimiter, stoppedClocks } from './local-limiter.ts';
import { exchangeEnvironment, partnerEnvironment, unlimitedAdmission } from './partner-environment.ts';
import type { Outcome } from '../../src/exchange/outcome.ts';

export interface TestExchange {
  server: Server;
  /** All outcomes so far. */
  outcomes: Outcome[];
  /** All exceptions so far. */
  defects: unknown[];
  /** The errors of all bytes that were not HTTP requests. */
  rejected: string[];
  /** The reasons for which connections were cut. */
  cut: string[];
  /** Of unfinished and waiting bodies. */
  bufferedBytes: () => number;
}

/** The settings of an exchange that a case can override, in its `given`. */
export interface ExchangeOptions {
  limits?: Partial<Limits>;
  maxInFlight?: number;
  maxPerAddress?: number;
  trustProxy?: string | number;
  bodyTimeoutMs?: number;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  keepAliveTimeoutMs?: number;
  maxBufferedBytes?: number;
  maxTurnWaitMs?: number;
  maxConnections?: number;
  writeTimeoutMs?: number;
  maxUnreadBytes?: number;
  /** Exchange rates: US dollars per unit, by currency. */
  dollarsPer?: Record<string, number>;
  /** The content of a publishers file. */
  publishers?: unknown;
  /** As if the worker were overloaded: requests wait at their headers, and none is admitted. */
  isOverloaded?: boolean;
  /** The part that throws an exception. */
  broken?: 'auction';
}

const highLimits: Limits = { ip: 1_000_000, publisher: 1_000_000, global: 1_000_000 };
const timeoutsOf = ({
  headersTimeoutMs = 3_000,
  requestTimeoutMs = 5_000,
  keepAliveTimeoutMs = 5_000,
}: ExchangeOptions) => ({
  headersMs: Math.min(headersTimeoutMs, requestTimeoutMs),
  requestMs: requestTimeoutMs,
  keepAliveMs: keepAliveTimeoutMs,
});

const overloadedControl: Control = {
  holdsRequests: true,
  refusesConnections: false,
  acceptsFirst: false,
  hasIdleTime: false,
  free: 0,
  perTurn: 0,
  throughput: 1,
  longQueue: 0,
  start: () => {},
  end: () => {},
  leave: () => {},
  refuse: () => {},
  connect: () => {},
  endTurn: () => {},
};

/** Replace parts of the app. */
export type TestParts = Partial<AppParts>;

export function createTestExchange(options: ExchangeOptions = {}, parts: TestParts = {}): TestExchange {
  const outcomes: Outcome[] = [];
  const defects: unknown[] = [];
  const rejected: string[] = [];
  const cut: string[] = [];
  const limiter =
    parts.limiter ?? localLimiter({ ...highLimits, ...options.limits }, options.limits ? stoppedClocks() : undefined);
  const rates = createRates(options.dollarsPer ?? {});
  const publishers = publishersOf(options);
  const observer: RequestObserver = {
    admitted: () => {},
    finished: (_request, _response, { outcome, defect }) => {
      outcomes.push(outcome);
      if (defect !== undefined) defects.push(defect);
    },
    rejected: (_requestId, error) => rejected.push(error.name),
    ended: (_requestId, outcome) => outcomes.push(outcome),
    responseCut: (reason) => cut.push(reason),
    connectionRefused: (reason) => cut.push(reason),
  };
  const admission = parts.admission ?? {
    ...unlimitedAdmission(),
    ...(options.isOverloaded && { control: overloadedControl }),
  };
  const buffers = new BodyBuffers(options.maxBufferedBytes ?? 64 * 1024 * 1024);
  const app = createApp({
    limiter,
    publishers,
    handleBidRequest: createHandleBidRequest({
      ...exchangeEnvironment,
      ...testAuction(options),
      publishers,
      currentRates: () => rates,
      defaultAuctionType: 1,
      budgets: { timeoutMs: 500, softTimeoutMs: 150 },
    }),
    trustProxy: options.trustProxy ?? 'loopback',
    body: {
      maxBytes: 256 * 1024,
      timeoutMs: options.bodyTimeoutMs ?? 2_000,
      buffers,
    },
    unread: { timeoutMs: options.writeTimeoutMs ?? 5_000, maxBytes: options.maxUnreadBytes ?? 64 * 1024 * 1024 },
    concurrency: { handling: options.maxInFlight ?? 100, perAddress: options.maxPerAddress ?? 200 },
    admission,
    pacer: new Pacer(options.maxTurnWaitMs ?? 5_000),
    isDraining: () => false,
    observer,
    onDefect: (defect) => defects.push(defect),
    ...parts,
  });
  const onDefect = (defect: unknown) => defects.push(defect);
  return {
    server: createHttpServer({
      app,
      limiter,
      publishers: parts.publishers ?? publishers,
      timeouts: timeoutsOf(options),
      maxConnectionsPerAddress: options.maxConnections ?? 10_000,
      admission,
      buffers,
      onOverload: () => {},
      isDraining: parts.isDraining ?? (() => false),
      addressLimit: 100,
      observer,
      onDefect,
    }),
    outcomes,
    defects,
    rejected,
    cut,
    bufferedBytes: () => buffers.bytes,
  };
}

function publishersOf({ publishers, dollarsPer = {} }: ExchangeOptions): PublisherDirectory | undefined {
  if (publishers === undefined) return undefined;
  const result = readPublishers(JSON.stringify(publishers), 'given', { partners: undefined, dollarsPer });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return directoryOf(result.publishers);
}

function testAuction({ broken }: ExchangeOptions): Pick<Exchange, 'runAuction' | 'testPartners'> {
  if (broken) {
    return { runAuction: () => Promise.reject(new Error('the auction is broken')), testPartners: [] };
  }
  const demand = readPartnersFile(fileURLToPath(new URL('demand.json', import.meta.url)));
  if ('problems' in demand) throw new Error(demand.problems.join('\n'));
  const nowMs = () => performance.now();
  const partners = createPartners(demand.partners, partnerEnvironment);
  const runAuction = createRunAuction(partners, nowMs, { partner: () => {}, bid: () => {} });
  return { runAuction, testPartners: partners.filter(({ test }) => test) };
}
