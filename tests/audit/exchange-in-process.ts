/** The exchange without sockets: a body as text, the responses of its partners as text, the response as text. */
import { createRunAuction } from '../../src/auction/run-auction.ts';
import { Partner } from '../../src/demand/partner.ts';
import { adapters } from '../../src/demand/registry.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { describeJsonError } from '../../src/json/describe-json-error.ts';
import { notJson, parseJson } from '../../src/json/parse-json.ts';
import { houseCampaigns } from '../../load/audit/samples.ts';
import { exchangeEnvironment } from '../support/partner-environment.ts';

export interface Texts {
  request: string;
  bids: string;
  products: string;
}

export type HandleTexts = (texts: Texts) => Promise<string>;

export function createInProcess(): HandleTexts {
  let current: Texts | undefined;
  const partners = [
    { adapter: 'openrtb', response: () => current!.bids },
    { adapter: 'product-search', response: () => current!.products },
    { adapter: 'house', response: () => '' },
  ].map(({ adapter, response }) => {
    const settings = { name: adapter, adapter, test: true, endpoint: 'http://127.0.0.1/', campaigns: houseCampaigns };
    return new Partner({
      settings,
      bidder: adapters[adapter]!.createBidder(settings),
      callPartner: async () => {
        const body = parseJson(response());
        return body === notJson ? { result: 'invalid' } : { result: 'bid', body };
      },
      learnedTimes: { deadlineMs: Infinity, roundTripMs: 0 },
      nowMs: () => 0,
      onIgnoredParam: () => {},
    });
  });
  const handle = createHandleBidRequest({
    ...exchangeEnvironment,
    runAuction: createRunAuction(partners, () => 0, { partner: () => {}, bid: () => {} }),
    defaultAuctionType: 1,
    budgets: { timeoutMs: 5_000, softTimeoutMs: 5_000 },
    onWarning: () => {},
    onStage: () => {},
    nowMs: () => 0,
  });
  return async (texts) => {
    current = texts;
    const body = parseJson(texts.request);
    if (body === notJson) return describeJsonError(texts.request);
    return JSON.stringify(await handle(body, 0));
  };
}
