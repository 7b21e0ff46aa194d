/** The story of one bid request, from its parsed body to its outcome. */
import { type Budgets, deadlineOf } from '../auction/deadline.ts';
import type { AuctionType } from '../auction/pick-winner.ts';
import type { RunAuction } from '../auction/run-auction.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { validateBidRequest } from '../openrtb/validate-bid-request.ts';
import { redact } from '../privacy/redact.ts';
import { buildAuction } from './build-auction.ts';
import { noBid, type Outcome } from './outcome.ts';
import { buildResponse, buildTestResponse } from './build-response.ts';

export interface Exchange {
  runAuction: RunAuction;
  defaultAuctionType: AuctionType;
  budgets: Budgets;
  /** Something the caller should know of a request that is valid all the same. */
  onWarning: (warning: Warning) => void;
  /** How long a request was at each of these stations. */
  onStage: (stage: 'validate' | 'auction', durationMs: number) => void;
  nowMs: () => number;
}

/** `conclude` is called once, perhaps before this returns. `arrivedAtMs` is when the clock of the request started. */
export type HandleBidRequest = (body: unknown, arrivedAtMs: number, conclude: (outcome: Outcome) => void) => void;

export const createHandleBidRequest =
  ({ runAuction, defaultAuctionType, budgets, onWarning, onStage, nowMs }: Exchange): HandleBidRequest =>
  (body, arrivedAtMs, conclude) => {
    const startedAtMs = nowMs();
    const validation = validateBidRequest(body);
    const validatedAtMs = nowMs();
    onStage('validate', validatedAtMs - startedAtMs);
    if (!validation.valid) return conclude({ kind: 'invalid', error: validation.error });

    const { bidRequest } = validation.request;
    const test = bidRequest.test === 1;
    const { request: forPartners, warnings } = redact(bidRequest);
    for (const warning of warnings) onWarning(warning);
    const auction = buildAuction(forPartners, validation.request.natives);
    const deadline = deadlineOf(arrivedAtMs, bidRequest.tmax, budgets);

    runAuction(auction, { type: bidRequest.at ?? defaultAuctionType, test, deadline }, (result) => {
      onStage('auction', nowMs() - validatedAtMs);
      if (test) conclude({ kind: 'bid', response: buildTestResponse(bidRequest, result, warnings) });
      else if (result.seatbid.length === 0) conclude(noBid);
      else conclude({ kind: 'bid', response: buildResponse(bidRequest, result) });
    });
  };
