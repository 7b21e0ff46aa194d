/** Why an auction has no winner, in one line. */
import { expect, test } from '@jest/globals';
import type { AuctionPartner } from '../../src/contract/console-api.ts';
import { describeNoBid } from '../../src/console/logic/describe-no-bid.ts';

const partner = (outcome: string, bids = 0): AuctionPartner => ({
  name: 'alpha',
  outcome,
  startMs: 0,
  durationMs: 1,
  bids,
  rejected: [],
  lost: [],
});

test.each([
  [[], 'No bid: there are no partners.'],
  [[partner('no_bid')], 'No bid: no partner sent one.'],
  [[partner('bid', 1), partner('no_bid')], 'No bid: the only one was dropped.'],
  [[partner('bid', 1), partner('bid', 1)], 'No bid: both were dropped.'],
  [[partner('bid', 2), partner('bid', 1)], 'No bid: all 3 were dropped.'],
  [
    [partner('no_bid'), partner('no_bid')].map((one) => ({ ...one, detail: 'Nothing can be traded.' })),
    'No bid: nothing can be traded.',
  ],
  [
    [partner('no_bid'), partner('timeout'), partner('excluded')],
    'No bid: no partner sent one; 2 of 3 partners were not called or sent no usable response.',
  ],
])('%j', (partners, expected) => expect(describeNoBid(partners, false)).toBe(expected));

test('a test auction without partners names the setting that is missing', () => {
  expect(describeNoBid([], true)).toMatch(/no partner takes test traffic.*"test": true/);
});
