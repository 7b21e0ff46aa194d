/** How a call to a partner can end; the values of metrics, logs and test reports. */

/** By severity: if an auction makes several calls to a partner, the most severe result is reported; `bid` outranks them all. */
export const partnerResults = [
  'no_bid',
  /** Not called: circuit breaker open, QPS cap reached, no time left, or nothing left to connect with; or a large response had no turn in time. */
  'skipped',
  /** The auction ended before the partner responded. */
  'late',
  /** A response that cannot be used. */
  'invalid',
  /** The partner's own limit or the auction's deadline has passed. */
  'timeout',
  /** A status other than 200 and 204, or a broken connection. */
  'error',
  'bid',
] as const;

export type PartnerResult = (typeof partnerResults)[number];

export const moreSevere = (a: PartnerResult, b: PartnerResult): PartnerResult =>
  partnerResults.indexOf(a) > partnerResults.indexOf(b) ? a : b;
