/** How a request can end: a closed union, so that responses, metrics and logs each handle every case. */
import type { AuctionResult } from '../auction/run-auction.ts';
import type { BidResponse, Warning } from '../openrtb/bid-response.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import type { SoldAuction } from './auction-log-entry.ts';

/** Describes the auction for the console, on demand. */
export type EndedAuction = Pick<AuctionResult, 'reports' | 'deadlines'> & { warnings: readonly Warning[] };

export type Outcome =
  /** `sold` is what the auction log needs; absent for test auctions. */
  | { kind: 'bid'; response: BidResponse; sold?: SoldAuction; auction?: EndedAuction }
  /** `response` is the report of a test auction: 200 in place of 204. */
  | { kind: 'no_bid'; response?: BidResponse; auction?: EndedAuction }
  /** The caller must change the request: 400 and the other 4xx except 429. */
  | { kind: 'invalid'; error: ErrorResponse }
  /** The caller is over a rate limit: 429. */
  | { kind: 'refused'; error: ErrorResponse }
  /** The exchange failed: 500 and 503. */
  | { kind: 'error'; error: ErrorResponse };

/** The values of metrics and logs. */
export const outcomeKinds = Object.keys({
  bid: true,
  no_bid: true,
  invalid: true,
  refused: true,
  error: true,
} satisfies Record<Outcome['kind'], true>);

/** An outcome that the caller gets as an error body. */
export type FailedOutcome = Extract<Outcome, { error: ErrorResponse }>;
