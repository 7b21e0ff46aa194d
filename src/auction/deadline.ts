/** When an auction must end, counted from the arrival of its request. */

export interface Budgets {
  /** The hard budget; a request's `tmax` can only shorten it. */
  timeoutMs: number;
  /** The soft budget: once it is spent, one valid bid ends the auction. */
  softTimeoutMs: number;
}

export interface Deadline {
  /** The auction ends at this time, whichever partners have not responded. */
  hardAtMs: number;
  /** From this time on the auction ends as soon as there is a valid bid. */
  softAtMs: number;
}

/** The part of the budget reserved for building and sending the response. */
const maxMarginMs = 20;

export function deadlineOf(arrivedAtMs: number, tmax: number | undefined, budgets: Budgets): Deadline {
  const budgetMs = Math.min(tmax ?? Infinity, budgets.timeoutMs);
  const marginMs = Math.min(maxMarginMs, budgetMs / 5);
  return { hardAtMs: arrivedAtMs + budgetMs - marginMs, softAtMs: arrivedAtMs + budgets.softTimeoutMs };
}
