/** An exchange with given partners that records its auctions. */
import { createRunAuction } from '../../src/auction/run-auction.ts';
import type { PartnerSettings } from '../../src/demand/adapter.ts';
import { exchangeEnvironment, partnerEnvironment } from './partner-environment.ts';
import { createPartners } from '../../src/demand/create-partners.ts';
import { createRates } from '../../src/money/rates.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { directoryOf } from '../../src/publishers/publisher-directory.ts';
import type { PublishersSettings } from '../../src/publishers/publishers-settings.ts';

export interface AuctionExchange {
  handle: (request: object) => Promise<Outcome>;
  /** `partner result`, in the order in which the auctions ended. */
  results: string[];
  /** `partner verdict`, one per bid received. */
  bids: string[];
  /** `partner state`, one per change of a circuit breaker. */
  circuits: string[];
  /** `partner parameter`, one per invalid parameter that an adapter ignored. */
  ignoredParams: string[];
}

const budgets = { timeoutMs: 3_000, softTimeoutMs: 1_000 };

export function createAuctionExchange(
  settings: (Partial<PartnerSettings> & { name: string; endpoint: string })[],
  dollarsPer: Record<string, number> = {},
  publishers?: PublishersSettings,
  nowMs = () => performance.now(),
): AuctionExchange {
  const results: string[] = [];
  const bids: string[] = [];
  const circuits: string[] = [];
  const ignoredParams: string[] = [];
  const partners = createPartners(
    settings.map((one) => ({ adapter: 'openrtb', test: false, ...one })),
    {
      ...partnerEnvironment,
      budgets,
      nowMs,
      onCircuitState: (name, state) => circuits.push(`${name} ${state}`),
      onIgnoredParam: (name, param) => ignoredParams.push(`${name} ${param}`),
    },
  );
  const runAuction = createRunAuction(partners, nowMs, {
    partner: (name, result) => results.push(`${name} ${result}`),
    bid: (name, verdict) => bids.push(`${name} ${verdict}`),
  });
  const handle = createHandleBidRequest({
    ...exchangeEnvironment,
    nowMs,
    currentRates: () => createRates(dollarsPer),
    runAuction,
    publishers: directoryOf(publishers),
    testPartners: partners.filter(({ test }) => test),
    defaultAuctionType: 1,
    budgets,
  });
  return { handle: (request) => handle(request, nowMs()), results, bids, circuits, ignoredParams };
}

/** A request for a title, without the `native` root. */
export const titleRequest = (more: object = {}, imp: object = {}) => ({
  id: 'request-1',
  imp: [
    {
      id: '1',
      native: { request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 90 } }] }) },
      ...imp,
    },
  ],
  ...more,
});
