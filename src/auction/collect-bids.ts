/** Requests bids from all partners at once and waits only as long as it is worthwhile. */
import type { Auction, UncheckedBid } from '../demand/adapter.ts';
import { Cancellation, type CancelReason } from '../demand/cancellation.ts';
import type { CallOutcome, Partner } from '../demand/partner.ts';
import { moreSevere, type PartnerResult } from '../demand/partner-result.ts';
import type { JsonBudget } from '../json/json-budget.ts';
import type { Rates } from '../money/rates.ts';
import { checkBid, type BidReason, markupBudget, type ValidBid } from './check-bid.ts';
import type { MarkupProblem } from '../openrtb/markup-check.ts';
import type { Deadline } from './deadline.ts';

/** A bid that cannot win. */
export type DroppedBid = ({ reason: BidReason } | MarkupProblem) & { impid: string; bid: UncheckedBid };

/** What one partner contributed to an auction. */
export interface PartnerOutcome {
  partner: Partner;
  result: PartnerResult;
  durationMs: number;
  /** The number of bids received, valid or not. */
  received: number;
  validBids: ValidBid[];
  droppedBids: DroppedBid[];
}

/** Of the `impid` in a report; no impression has a longer one. */
const maxImpIdLength = 64;

/** One outcome per partner, in their order. */
export async function collectBids(
  partners: readonly Partner[],
  auction: Auction,
  { deadline, rates }: { deadline: Deadline; rates: Rates },
  nowMs: () => number,
): Promise<PartnerOutcome[]> {
  const collection = new BidCollection(auction, rates, nowMs);
  const cancellation = new Cancellation();
  try {
    const pending = collection.requestAll(partners, deadline, cancellation);
    if (pending.length > 0) {
      const responses = Promise.all(pending);
      const reason = await waitForBids(responses, collection, deadline, nowMs);
      if (reason) cancellation.cancel(reason);
      await responses; // cancelled calls settle at once, with the reason as their result
    }
    return collection.outcomes;
  } finally {
    cancellation.cancel('late'); // after a defect no call may outlive its auction
  }
}

/**
 * Waits for every response until the soft budget is spent, then only for the first valid bid, never beyond the deadline.
 * Returns why the remaining calls are cancelled; undefined if there are none.
 */
async function waitForBids(
  responses: Promise<unknown>,
  collection: BidCollection,
  { softAtMs, hardAtMs }: Deadline,
  nowMs: () => number,
): Promise<CancelReason | undefined> {
  if (softAtMs >= hardAtMs) return (await settlesWithin(hardAtMs - nowMs(), responses)) ? undefined : 'timeout';
  if (await settlesWithin(softAtMs - nowMs(), responses)) return undefined;
  if (collection.hasValidBid) return 'late';
  const enough = Promise.race([responses, collection.firstValidBid()]);
  return (await settlesWithin(hardAtMs - nowMs(), enough)) ? 'late' : 'timeout';
}

/** Whether the promise settles in time. A response that is already in the socket counts, even if the process was stalled. */
async function settlesWithin(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(setImmediate, Math.max(timeoutMs, 1), () => resolve(false));
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The bids of one auction, checked as they arrive. */
class BidCollection {
  readonly outcomes: PartnerOutcome[] = [];
  hasValidBid = false;
  readonly #auction: Auction;
  readonly #rates: Rates;
  readonly #nowMs: () => number;
  #onValidBid: (() => void) | undefined;

  constructor(auction: Auction, rates: Rates, nowMs: () => number) {
    this.#auction = auction;
    this.#rates = rates;
    this.#nowMs = nowMs;
  }

  /** The promises of the calls that have to be waited for. An exception becomes a rejection among them. */
  requestAll(partners: readonly Partner[], deadline: Deadline, cancellation: Cancellation): Promise<void>[] {
    const pending: Promise<void>[] = [];
    try {
      for (const partner of partners) this.#request(partner, deadline, cancellation, pending);
    } catch (defect) {
      pending.push(Promise.reject(defect));
    }
    return pending;
  }

  /** Resolves when a valid bid arrives from now on. */
  firstValidBid(): Promise<void> {
    return new Promise((resolve) => (this.#onValidBid = resolve));
  }

  #request(partner: Partner, deadline: Deadline, cancellation: Cancellation, pending: Promise<void>[]): void {
    const startedAtMs = this.#nowMs();
    const outcome: PartnerOutcome = {
      partner,
      result: 'no_bid',
      durationMs: 0,
      received: 0,
      validBids: [],
      droppedBids: [],
    };
    this.outcomes.push(outcome);
    const { hardAtMs, softAtMs } = deadline;
    for (const call of partner.requestBids(this.#auction, hardAtMs, cancellation, softAtMs)) {
      if (call instanceof Promise) pending.push(call.then((settled) => this.#add(outcome, startedAtMs, settled)));
      else this.#add(outcome, startedAtMs, call);
    }
  }

  #add(outcome: PartnerOutcome, startedAtMs: number, { result, bids }: CallOutcome): void {
    outcome.result = moreSevere(result, outcome.result);
    outcome.durationMs = this.#nowMs() - startedAtMs;
    outcome.received += bids.length;
    const budget = markupBudget(bids);
    for (const bid of bids) this.#check(bid, outcome, budget);
    if (outcome.validBids.length === 0) return;
    this.hasValidBid = true;
    this.#onValidBid?.();
  }

  #check(bid: UncheckedBid, { validBids, droppedBids }: PartnerOutcome, budget: JsonBudget | undefined): void {
    const checked = checkBid(bid, this.#auction, this.#rates, budget);
    if (typeof checked === 'string' || 'reason' in checked) {
      const impid = typeof bid.impid === 'string' ? bid.impid.slice(0, maxImpIdLength) : '';
      droppedBids.push(typeof checked === 'string' ? { reason: checked, impid, bid } : { ...checked, impid, bid });
    } else validBids.push(checked);
  }
}
