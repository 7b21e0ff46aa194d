/** The use case: one bid request, from its parsed body to its outcome. */
import { type Budgets, deadlineOf } from '../auction/deadline.ts';
import type { AuctionType } from '../auction/pick-winner.ts';
import type { RunAuction } from '../auction/run-auction.ts';
import type { Rates } from '../money/rates.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { validateBidRequest } from '../openrtb/validate-bid-request.ts';
import { redact } from '../privacy/redact.ts';
import { buildAuction } from './build-auction.ts';
import { buildResponse, buildTestResponse } from './build-response.ts';
import { noBid, type Outcome } from './outcome.ts';

export interface Exchange {
  runAuction: RunAuction;
  defaultAuctionType: AuctionType;
  budgets: Budgets;
  rates: Rates;
  /** A valid request carries something that the caller should correct. */
  onWarning: (warning: Warning) => void;
  /** The time a request spent in a stage. */
  onStage: (stage: 'validate' | 'auction', durationMs: number) => void;
  nowMs: () => number;
}

/** `arrivedAtMs` is when the clock of the request started. Rejects only for a defect. */
export type HandleBidRequest = (body: unknown, arrivedAtMs: number) => Promise<Outcome>;

export const createHandleBidRequest =
  ({ runAuction, defaultAuctionType, budgets, rates, onWarning, onStage, nowMs }: Exchange): HandleBidRequest =>
  async (body, arrivedAtMs) => {
    const startedAtMs = nowMs();
    const validation = validateBidRequest(body);
    const validatedAtMs = nowMs();
    onStage('validate', validatedAtMs - startedAtMs);
    if (!validation.valid) return { kind: 'invalid', error: validation.error };

    const { bidRequest, natives } = validation.request;
    const { request: redacted, warnings } = redact(bidRequest);
    for (const warning of warnings) onWarning(warning);

    const test = bidRequest.test === 1;
    const result = await runAuction(buildAuction(redacted, natives, rates), {
      type: bidRequest.at ?? defaultAuctionType,
      test,
      deadline: deadlineOf(arrivedAtMs, bidRequest.tmax, budgets),
      rates,
    });
    onStage('auction', nowMs() - validatedAtMs);

    if (test) return { kind: 'bid', response: buildTestResponse(bidRequest, result, warnings) };
    if (result.seatbid.length === 0) return noBid;
    return { kind: 'bid', response: buildResponse(bidRequest, result) };
  };
