/** When an auction must be over, reckoned from the moment its request arrived. */

export interface Budgets {
  /** The hard budget; a request's tmax may only shorten it. */
  timeoutMs: number;
  /** From here on one valid bid is enough. */
  softTimeoutMs: number;
}

export interface Deadline {
  /** By then the auction is over, whoever has not answered. */
  hardAtMs: number;
  /** From then on it is over as soon as there is a valid bid. */
  softAtMs: number;
}

/** What our own answer may take out of the budget. */
const longestMarginMs = 20;

export function deadlineOf(arrivedAtMs: number, tmax: number | undefined, budgets: Budgets): Deadline {
  const budgetMs = Math.min(tmax ?? Infinity, budgets.timeoutMs);
  const marginMs = Math.min(longestMarginMs, budgetMs / 5);
  return { hardAtMs: arrivedAtMs + budgetMs - marginMs, softAtMs: arrivedAtMs + budgets.softTimeoutMs };
}
