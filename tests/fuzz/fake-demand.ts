/** Partners of every adapter whose HTTP responses come from the fuzzer, and an exchange around them. */
import { createRunAuction } from '../../src/auction/run-auction.ts';
import type { CallPartner } from '../../src/demand/call-partner.ts';
import { Partner } from '../../src/demand/partner.ts';
import { adapters } from '../../src/demand/registry.ts';
import { createHandleBidRequest, type HandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { exchangeEnvironment } from '../support/partner-environment.ts';

const nowMs = () => performance.now();
/** Long enough for a machine that runs other things, too: no partner is late. */
const budgets = { timeoutMs: 60_000, softTimeoutMs: 60_000 };

const campaign = {
  id: 'shoes',
  cpm: 1.25,
  adomain: ['shoes.example'],
  landing: 'https://shoes.example/trail',
  title: 'Trail running shoes',
  description: 'Light, grippy and made to last a thousand kilometres.',
  image: { url: 'https://shoes.example/1200x627.jpg', w: 1_200, h: 627 },
  target: { keywords: ['running shoes', 'winter boots'], countries: ['NLD'] },
};

/** `respond` is called for every call of the adapters `openrtb` and `product-search`. */
export function createFakeExchange(respond: CallPartner, names: readonly string[]): HandleBidRequest {
  const partners = names.map((adapter) => {
    const settings = { name: adapter, adapter, test: true, endpoint: 'http://partner.test/bid', campaigns: [campaign] };
    const bidder = adapters[adapter]!.createBidder(settings);
    return new Partner({
      settings,
      bidder,
      callPartner: respond,
      learnedTimes: { deadlineMs: Infinity, roundTripMs: 0 },
      nowMs,
      onIgnoredParam: () => {},
    });
  });
  return createHandleBidRequest({
    ...exchangeEnvironment,
    runAuction: createRunAuction(partners, nowMs, { partner: () => {}, bid: () => {} }),
    defaultAuctionType: 1,
    budgets,
    onWarning: () => {},
    onStage: () => {},
    nowMs,
  });
}
