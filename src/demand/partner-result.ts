/** How a call to a partner can end; the values of metrics, logs and test reports. */

export type PartnerResult =
  | 'bid'
  | 'no_bid'
  /** The partner's own limit or the auction's deadline has passed. */
  | 'timeout'
  /** The auction ended before the partner responded. */
  | 'late'
  /** A status other than 200 and 204, or a broken connection. */
  | 'error'
  /** A response that cannot be used. */
  | 'invalid'
  /** Not called: circuit breaker open, QPS cap reached, no time left, or nothing left to connect with; or a large response had no turn in time. */
  | 'skipped';

/** If an auction makes several calls to a partner, the most severe result is reported; `bid` outranks them all. */
const bySeverity: readonly PartnerResult[] = ['no_bid', 'skipped', 'late', 'invalid', 'timeout', 'error', 'bid'];

export const moreSevere = (a: PartnerResult, b: PartnerResult): PartnerResult =>
  bySeverity.indexOf(a) > bySeverity.indexOf(b) ? a : b;
