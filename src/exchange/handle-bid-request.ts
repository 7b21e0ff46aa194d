/** The story of one bid request, from its parsed body to its outcome. */
import type { AuctionResult, RunAuction } from '../auction/run-auction.ts';
import type { AuctionType } from '../auction/pick-winner.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { BidResponse } from '../openrtb/bid-response.ts';
import { integrationLevel } from '../openrtb/integration-level.ts';
import { validateBidRequest } from '../openrtb/validate-bid-request.ts';
import { consentWarning } from '../privacy/consent-warning.ts';
import { noBid, type Outcome } from './outcome.ts';
import { openAuction } from './open-auction.ts';

export interface Exchange {
  runAuction: RunAuction;
  defaultAuctionType: AuctionType;
}

export type HandleBidRequest = (body: unknown) => Outcome;

export const createHandleBidRequest =
  ({ runAuction, defaultAuctionType }: Exchange): HandleBidRequest =>
  (body) => {
    const validation = validateBidRequest(body);
    if (!validation.valid) return { kind: 'invalid', error: validation.error };

    const { bidRequest } = validation.request;
    const test = bidRequest.test === 1;
    const result = runAuction(openAuction(validation.request), { type: bidRequest.at ?? defaultAuctionType, test });

    if (test) return { kind: 'bid', response: testResponse(bidRequest, result) };
    if (result.seatbid.length === 0) return noBid;
    return { kind: 'bid', response: toResponse(bidRequest, result) };
  };

const toResponse = ({ id }: BidRequest, { seatbid }: AuctionResult): BidResponse => ({ id, seatbid, cur: 'USD' });

/** A test always gets an answer, which tells how the request was understood; nothing in it can bill. */
function testResponse(request: BidRequest, result: AuctionResult): BidResponse {
  const response = toResponse(request, result);
  for (const { bid: bids } of response.seatbid) {
    for (const bid of bids) {
      delete bid.nurl;
      delete bid.burl;
    }
  }
  const warning = consentWarning(request);
  const report = {
    test: true,
    valid: true,
    integrationLevel: integrationLevel(request),
    warnings: warning ? [warning] : [],
    partners: result.partners,
  } as const;
  return { ...response, ext: { service: report } };
}
