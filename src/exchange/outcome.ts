/** What became of a request: a closed union, so that answers, metrics and logs each handle every case. */
import type { BidResponse } from '../openrtb/bid-response.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';

export type Outcome =
  | { kind: 'bid'; response: BidResponse }
  | { kind: 'no_bid' }
  /** The caller's doing: 400 and the other 4xx but 429. */
  | { kind: 'invalid'; error: ErrorResponse }
  /** A limit's doing: 429. */
  | { kind: 'refused'; error: ErrorResponse }
  /** Ours: 500 and 503. */
  | { kind: 'error'; error: ErrorResponse };

export const noBid: Outcome = { kind: 'no_bid' };
