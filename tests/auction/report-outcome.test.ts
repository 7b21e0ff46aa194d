/** The report of a partner: which time had passed when its calls were cancelled, and the bound on repaired bids. */
import { expect, test } from '@jest/globals';
import type { PartnerOutcome } from '../../src/auction/collect-bids.ts';
import { reportAll } from '../../src/auction/report-outcome.ts';
import type { PartnerReport } from '../../src/contract/partner-report.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { asPartners, auctionOf, bidOf, FakePartner, inUsd } from './fakes.ts';

const startedAtMs = 1_000;
const terms = { ...inUsd, deadline: { softAtMs: startedAtMs + 150, hardAtMs: startedAtMs + 480 } };

function reportOf(more: Partial<PartnerOutcome>, timeoutMs = Infinity): PartnerReport {
  const partners = asPartners([Object.assign(new FakePartner('alpha'), { timeoutMs })]);
  const outcome: PartnerOutcome = {
    partner: partners[0]!,
    result: 'bid',
    explain: undefined,
    startedAtMs: startedAtMs + 1,
    durationMs: 20,
    deadlineMs: undefined,
    received: 0,
    validBids: [],
    droppedBids: [],
    ...more,
  };
  return reportAll(partners, [outcome], { auction: auctionOf(0), startedAtMs, winners: [], terms })[0]!;
}

test.each<[result: PartnerResult, durationMs: number, timeoutMs: number, detail: string | undefined]>([
  ['timeout', 479.2, Infinity, "It had not responded at the auction's deadline, after 480 ms."],
  ['timeout', 479.2, 479, "It had not responded at the auction's deadline, after 480 ms."],
  ['timeout', 100.3, 100, 'It did not respond within its timeoutMs of 100.'],
  ['late', 149.2, 400, 'It had not responded when the auction ended after 150 ms.'],
  ['no_bid', 20, 400, undefined],
])('%s after %d ms with a timeoutMs of %d', (result, durationMs, timeoutMs, detail) => {
  expect(reportOf({ result, durationMs }, timeoutMs).detail).toBe(detail);
});

test('lists at most 100 repairs per partner, and describes none after the bid that reaches this number', () => {
  const [impression] = auctionOf(0).impressions;
  let described = 0;
  const repair = () => `repair ${++described}`;
  const bid = { impression: impression!, priceMicros: 1, bid: bidOf(1), adm: '', repairs: [repair, repair, repair] };
  const { repaired } = reportOf({ validBids: Array.from({ length: 50 }, () => bid) });
  expect(repaired).toHaveLength(100);
  expect(repaired!.at(-1)).toEqual({ impid: 'imp-1', detail: 'repair 100' });
  expect(described).toBe(102); // 34 bids with three repairs each
});
