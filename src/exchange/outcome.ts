/** What became of a request: a closed union, so that answers, metrics and logs each handle every case. */
import type { BidResponse } from '../openrtb/bid-response.ts';
import { callError, type CallErrorName, type ErrorAnswer } from '../openrtb/error-table.ts';

export type Outcome =
  | { kind: 'bid'; response: BidResponse }
  | { kind: 'no_bid' }
  /** The caller's doing: 400 and the other 4xx but 429. */
  | { kind: 'invalid'; error: ErrorAnswer }
  /** A limit's doing: 429. */
  | { kind: 'refused'; error: ErrorAnswer }
  /** Ours: 500 and 503. */
  | { kind: 'error'; error: ErrorAnswer };

export const noBid: Outcome = { kind: 'no_bid' };

/** A call that went wrong by a row of the table: its status says whose doing it was. */
export function failed(name: CallErrorName): Outcome {
  const error = callError(name);
  if (error.status === 429) return { kind: 'refused', error };
  return { kind: error.status >= 500 ? 'error' : 'invalid', error };
}
