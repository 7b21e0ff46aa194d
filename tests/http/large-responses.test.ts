/** Which client a large response was for is known by the address that sent the bid request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import type { RemotePartnerSettings } from '../../src/demand/adapter.ts';
import { createPartners } from '../../src/demand/create-partners.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { titleRequest } from '../support/auction-exchange.ts';
import { exchangeEnvironment, partnerEnvironment } from '../support/partner-environment.ts';
import { startExchange } from '../support/run-case.ts';
import { type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';
import { sendCase } from '../support/send-case.ts';

let partner: ScriptedPartner;
beforeAll(async () => {
  const noBid = JSON.stringify({ id: 'request-1', seatbid: [], ext: { text: 'x'.repeat(33_000) } });
  partner = await startPartner((response) => send(response, noBid));
});
afterAll(() => partner.close());

const budgets = { timeoutMs: 3_000, softTimeoutMs: 1_000 };

/** `results` has one for each auction; the large responses for the client `late` wait in vain. */
function createExchangeParts() {
  const results: string[] = [];
  const late: { client?: string } = {};
  const isLate = (owner: string, client?: string) => owner === 'partner long' && client === late.client;
  const turns = { turn: () => Promise.resolve(true), isLate };
  const settings: RemotePartnerSettings = { name: 'long', adapter: 'openrtb', test: true, endpoint: partner.url };
  const partners = createPartners([settings], {
    ...partnerEnvironment,
    budgets,
    turns,
  });
  const runAuction = createRunAuction(partners, () => performance.now(), {
    partner: (_name, result) => results.push(result),
    bid: () => {},
  });
  const handleBidRequest = createHandleBidRequest({
    ...exchangeEnvironment,
    runAuction,
    defaultAuctionType: 1,
    budgets,
  });
  return { results, late, handleBidRequest };
}

test('while they wait in vain, a partner is not called for the address that causes them, and is for others', async () => {
  const { results, late, handleBidRequest } = createExchangeParts();
  const exchange = await startExchange({}, { handleBidRequest });
  const sendFrom = (address: string) =>
    sendCase(exchange.server, { body: titleRequest(), headers: { 'X-Forwarded-For': address } });
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']) await sendFrom(address);
  late.client = '192.0.2.1';
  await sendFrom('192.0.2.1');
  await sendFrom('192.0.2.2');
  exchange.server.close();
  expect(results).toEqual(['no_bid', 'no_bid', 'no_bid', 'no_bid', 'skipped', 'no_bid']);
});
