/** The bid response of an auction: what test mode removes. */
import { expect, test } from '@jest/globals';
import { buildResponse, buildTestResponse } from '../../src/exchange/build-response.ts';
import type { Bid } from '../../src/openrtb/bid-response.ts';

const url = 'https://a.example/';
const rest: Bid = { id: 'b1', impid: '1', price: 1, adm: '{}', crid: 'c1', dealid: 'd1', mtype: 4 };
const seatbid = [{ seat: 'a', bid: [{ ...rest, nurl: url, burl: url, lurl: url }] }];
const request = { id: 'r1', imp: [] };

test('a live response has the notice URLs', () => {
  expect(buildResponse(request, { seatbid }, 'USD').seatbid).toEqual(seatbid);
});

test('a test response has none of them, so nothing can be billed', () => {
  const { seatbid: sent } = buildTestResponse(
    request,
    { seatbid, reports: () => [], deadlines: () => ({ softDeadlineMs: 150, hardDeadlineMs: 480 }) },
    'USD',
    [],
  );
  expect(sent).toEqual([{ seat: 'a', bid: [rest] }]);
});
