/** How asking a partner can end; the words of metrics, logs and test reports. */

export type PartnerResult =
  | 'bid'
  | 'no_bid'
  /** Its own time limit or the auction's deadline passed. */
  | 'timeout'
  /** The auction ended before it answered. */
  | 'late'
  /** Another status than 200 and 204, or a broken connection. */
  | 'error'
  /** An answer that cannot be used. */
  | 'invalid'
  /** Not asked: it keeps failing, its rate is used up, or there is no time left. */
  | 'skipped';

/** Of several calls for one auction the gravest ending is told, but bids make up for everything. */
const order: readonly PartnerResult[] = ['no_bid', 'skipped', 'late', 'invalid', 'timeout', 'error', 'bid'];

export const moreSevere = (a: PartnerResult, b: PartnerResult): PartnerResult =>
  order.indexOf(a) > order.indexOf(b) ? a : b;
