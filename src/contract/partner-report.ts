/** What a partner contributed to an auction: in the report of test mode and in the console's samples. */
export interface PartnerReport {
  name: string;
  outcome: string;
  /** Why it has no bid; absent if only the partner knows. */
  detail?: string;
  /** When its calls started, since the start of the auction. */
  startMs: number;
  durationMs: number;
  /** How long the auction would wait for it if another partner has a valid bid; absent for a local bidder, and for one that was not called. */
  deadlineMs?: number;
  bids: number;
  /** `detail` names the rule and the value that broke it. */
  rejected: { reason: string; detail: string; impid: string }[];
  /** Valid bids that did not win; the price is in the currency of the response. */
  lost: { impid: string; price: number }[];
  /** What was removed from valid bids and their markup, or cut. */
  repaired?: { impid: string; detail: string }[];
}
