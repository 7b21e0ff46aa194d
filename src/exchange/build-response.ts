/** Builds the bid response of an auction: the winning bids, and in test mode a report. */
import type { AuctionResult } from '../auction/run-auction.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { BidResponse, SeatBid, Warning } from '../openrtb/bid-response.ts';
import { integrationLevel } from '../openrtb/integration-level.ts';

export const buildResponse = (
  { id }: BidRequest,
  { seatbid }: Pick<AuctionResult, 'seatbid'>,
  cur: string,
): BidResponse => ({ id, seatbid, cur });

/** A test request always gets a response. Its bids carry no notice URLs, so nothing can be billed. */
export function buildTestResponse(
  request: BidRequest,
  result: Pick<AuctionResult, 'seatbid' | 'reports' | 'deadlines'>,
  cur: string,
  warnings: Warning[],
): BidResponse {
  const report = {
    test: true,
    valid: true,
    integrationLevel: integrationLevel(request),
    warnings,
    ...result.deadlines(),
    partners: result.reports(),
  } as const;
  const seatbid = result.seatbid.map(withoutNotices);
  return { ...buildResponse(request, { seatbid }, cur), ext: { service: report } };
}

function withoutNotices({ seat, bid }: SeatBid): SeatBid {
  return { seat, bid: bid.map(({ nurl: _win, burl: _billing, lurl: _loss, ...rest }) => rest) };
}
