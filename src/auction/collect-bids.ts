/** Requests bids from all partners at once and waits only as long as it is worthwhile. */
import { maxIdLength } from '../contract/api-limits.ts';
import type { Auction, UncheckedBid } from '../demand/adapter.ts';
import { Cancellation } from '../demand/cancellation.ts';
import type { CallOutcome, ExplainNoBid, Partner } from '../demand/partner.ts';
import { moreSevere, type PartnerResult } from '../demand/partner-result.ts';
import type { JsonBudget } from '../json/json-budget.ts';
import type { PriceTerms } from './price-in-response.ts';
import { checkBid, type BidReason, markupBudget, type ValidBid } from './check-bid.ts';
import type { MarkupProblem } from '../openrtb/markup-check.ts';
import { AuctionEnd } from './auction-end.ts';
import type { Deadline } from './deadline.ts';
import { copyStart } from '../json/copy-start.ts';
import { joinReasons } from '../demand/count-reasons.ts';

/** A bid that cannot win. `impid` is for reports: no longer than that of any impression. */
export type DroppedBid = ({ reason: BidReason } | MarkupProblem) & { impid: string; bid: UncheckedBid };

/** What one partner contributed to an auction. */
export interface PartnerOutcome {
  partner: Partner;
  result: PartnerResult;
  /** Returns why it has no bid, if the exchange knows it. */
  explain: ExplainNoBid | undefined;
  /** When its calls started. */
  startedAtMs: number;
  durationMs: number;
  /** How long it was worth waiting for once there was a valid bid, from the start of its calls; undefined for a local bidder. */
  deadlineMs: number | undefined;
  /** The number of bids received, valid or not. */
  received: number;
  validBids: ValidBid[];
  droppedBids: DroppedBid[];
}

/** One outcome per partner, in their order. */
export async function collectBids(
  partners: readonly Partner[],
  auction: Auction,
  terms: PriceTerms & { deadline: Deadline },
  nowMs: () => number,
): Promise<PartnerOutcome[]> {
  const { deadline } = terms;
  const end = new AuctionEnd(deadline, nowMs);
  const collection = new BidCollection(auction, terms, end, nowMs);
  const cancellation = new Cancellation();
  try {
    const pending = collection.requestAll(partners, deadline, cancellation);
    if (pending.length > 0) {
      const responses = Promise.all(pending);
      const reason = await end.after(responses);
      if (reason) cancellation.cancel(reason);
      await responses; // cancelled calls settle at once, with the reason as their result
    }
    return collection.outcomes;
  } finally {
    cancellation.cancel('late'); // after a defect no call may keep its auction open
  }
}

/** The bids of one auction, checked as they arrive. */
class BidCollection {
  readonly outcomes: PartnerOutcome[] = [];
  readonly #auction: Auction;
  readonly #terms: PriceTerms;
  readonly #end: AuctionEnd;
  readonly #nowMs: () => number;

  constructor(auction: Auction, terms: PriceTerms, end: AuctionEnd, nowMs: () => number) {
    this.#auction = auction;
    this.#terms = terms;
    this.#end = end;
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

  #request(partner: Partner, deadline: Deadline, cancellation: Cancellation, pending: Promise<void>[]): void {
    const startedAtMs = this.#nowMs();
    const { hardAtMs, softAtMs } = deadline;
    const { deadlineMs } = partner;
    const outcome: PartnerOutcome = {
      partner,
      result: 'no_bid',
      explain: undefined,
      startedAtMs,
      durationMs: 0,
      deadlineMs: deadlineMs && Math.max(0, Math.min(deadlineMs, softAtMs - startedAtMs, hardAtMs - startedAtMs)),
      received: 0,
      validBids: [],
      droppedBids: [],
    };
    this.outcomes.push(outcome);
    const untilMs = Math.min(startedAtMs + (deadlineMs ?? 0), softAtMs);
    for (const call of partner.requestBids(this.#auction, deadline, cancellation)) {
      if (!(call instanceof Promise)) {
        this.#add(outcome, startedAtMs, call);
        continue;
      }
      this.#end.waitUntil(untilMs);
      pending.push(
        call.then((settled) => {
          this.#add(outcome, startedAtMs, settled);
          this.#end.settled(untilMs);
        }),
      );
    }
  }

  #add(outcome: PartnerOutcome, startedAtMs: number, { result, bids, explain }: CallOutcome): void {
    if (result === outcome.result) outcome.explain = explainBoth(outcome.explain, explain);
    else if (moreSevere(result, outcome.result) === result) {
      outcome.result = result;
      outcome.explain = explain;
    }
    outcome.durationMs = this.#nowMs() - startedAtMs;
    outcome.received += bids.length;
    const budget = markupBudget(bids);
    for (const bid of bids) this.#check(bid, outcome, budget);
    if (outcome.validBids.length > 0) this.#end.validBidReceived();
  }

  #check(bid: UncheckedBid, { validBids, droppedBids }: PartnerOutcome, budget: JsonBudget | undefined): void {
    const checked = checkBid(bid, this.#auction, this.#terms, budget);
    if (typeof checked === 'string' || 'reason' in checked) {
      const impid = typeof bid.impid === 'string' ? copyStart(bid.impid, maxIdLength) : '';
      droppedBids.push(typeof checked === 'string' ? { reason: checked, impid, bid } : { ...checked, impid, bid });
    } else validBids.push(checked);
  }
}

/** Most partners get one call, so nothing is joined before a report needs it. */
function explainBoth(first: ExplainNoBid | undefined, second: ExplainNoBid | undefined): ExplainNoBid | undefined {
  return first && second ? () => joinReasons(first(), second()) : (first ?? second);
}
