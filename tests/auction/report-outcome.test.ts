/** The report of a partner whose calls were cancelled says which time had passed. */
import { expect, test } from '@jest/globals';
import type { PartnerOutcome } from '../../src/auction/collect-bids.ts';
import { reportAll } from '../../src/auction/report-outcome.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { asPartners, auctionOf, FakePartner, inUsd } from './fakes.ts';

const startedAtMs = 1_000;
const terms = { ...inUsd, deadline: { softAtMs: startedAtMs + 150, hardAtMs: startedAtMs + 480 } };

function detailOf(result: PartnerResult, durationMs: number, timeoutMs: number): string | undefined {
  const partners = asPartners([Object.assign(new FakePartner('slow'), { timeoutMs })]);
  const outcome: PartnerOutcome = {
    partner: partners[0]!,
    result,
    explain: undefined,
    startedAtMs: startedAtMs + 1,
    durationMs,
    deadlineMs: undefined,
    received: 0,
    validBids: [],
    droppedBids: [],
  };
  return reportAll(partners, [outcome], { auction: auctionOf(0), startedAtMs, winners: [], terms })[0]!.detail;
}

test.each<[result: PartnerResult, durationMs: number, timeoutMs: number, detail: string | undefined]>([
  ['timeout', 479.2, Infinity, "It had not responded at the auction's deadline, after 480 ms."],
  ['timeout', 479.2, 479, "It had not responded at the auction's deadline, after 480 ms."],
  ['timeout', 100.3, 100, 'It did not respond within its timeoutMs of 100.'],
  ['late', 149.2, 400, 'It had not responded when the auction ended after 150 ms.'],
  ['no_bid', 20, 400, undefined],
])('%s after %d ms with a timeoutMs of %d', (result, durationMs, timeoutMs, detail) => {
  expect(detailOf(result, durationMs, timeoutMs)).toBe(detail);
});
