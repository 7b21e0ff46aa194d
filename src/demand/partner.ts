/** A demand partner at run time: requests bids for an auction through its adapter, within its time. */
import {
  type Auction,
  type Bidder,
  type BidderCall,
  InvalidResponse,
  type NoBidReason,
  type PartnerSettings,
  type RemoteBidder,
  type UncheckedBid,
} from './adapter.ts';
import type { CallPartner, PartnerResponse } from './call-partner.ts';
import type { Cancellation } from './cancellation.ts';
import type { BreakerSignal } from './circuit-breaker.ts';
import { maxResponseBytes } from './decode-response.ts';
import type { PartnerResult } from './partner-result.ts';
import { type QpsLimiter, qpsReached } from './qps-limiter.ts';

/** The result of one call to a partner. */
export interface CallOutcome {
  result: PartnerResult;
  bids: readonly UncheckedBid[];
  /** Returns why there is no bid, if the exchange knows it. */
  explain?: ExplainNoBid | undefined;
}

export type ExplainNoBid = () => NoBidReason | undefined;

/** What was learned about the time that a partner needs. */
export interface LearnedTimes {
  /** How long an auction that has a valid bid waits for the partner. */
  readonly deadlineMs: number;
  readonly roundTripMs: number;
}

export interface PartnerParts {
  settings: PartnerSettings;
  bidder: Bidder;
  callPartner: CallPartner;
  /** Only for a bidder in this process; the calls of others are limited where they are made. */
  localLimiter?: QpsLimiter | undefined;
  learnedTimes: LearnedTimes;
  nowMs: () => number;
  /** The adapter ignored an invalid parameter of the request. */
  onIgnoredParam: (param: string) => void;
}

/** A call with less time than this is not made. */
const minCallMs = 5;

const noBids: readonly UncheckedBid[] = [];
const noBid: CallOutcome = { result: 'no_bid', bids: noBids };
const atMaxQps: CallOutcome = { result: 'skipped', bids: noBids, explain: () => qpsReached };
const noTime: CallOutcome = { result: 'skipped', bids: noBids, explain: () => 'No time was left for a call.' };

/** The status of a response whose result implies it. */
const usualStatus: Partial<Record<PartnerResult, number>> = { bid: 200, no_bid: 204 };

export class Partner {
  readonly name: string;
  readonly test: boolean;
  readonly gvlId: number | undefined;
  /** Infinite if the settings have none. */
  readonly timeoutMs: number;
  readonly #parts: PartnerParts;

  constructor(parts: PartnerParts) {
    this.#parts = parts;
    this.name = parts.settings.name;
    this.test = parts.settings.test;
    this.gvlId = parts.settings.gvlId;
    this.timeoutMs = parts.settings.timeoutMs ?? Infinity;
  }

  /** How long an auction that has a valid bid waits for the partner, at most; undefined for a local bidder. */
  get deadlineMs(): number | undefined {
    if ('bidLocally' in this.#parts.bidder) return undefined;
    return this.#parts.learnedTimes.deadlineMs;
  }

  /**
   * One outcome per call, as a value if there is nothing to wait for. Every promise settles when `cancellation` happens.
   * The auction ends at `hardAtMs`. A bid after `softAtMs` counts only if there is no other, so that is the time that the partner
   * is given, less the network time. Throws, or rejects, only for a defect.
   */
  requestBids(
    common: Auction,
    { hardAtMs, softAtMs }: { hardAtMs: number; softAtMs: number },
    cancellation: Cancellation,
  ): (CallOutcome | Promise<CallOutcome>)[] {
    const { bidder } = this.#parts;
    const auction = this.#viewOf(common);
    if ('bidLocally' in bidder) {
      const { localLimiter, nowMs } = this.#parts;
      if (localLimiter?.take(nowMs(), common.request.test === 1) === false) return [atMaxQps];
      const bids = this.#runAdapter('bidLocally', () => bidder.bidLocally(auction));
      return [toOutcome(bids, () => bidder.explainNoBid?.(auction))];
    }
    const nowMs = this.#parts.nowMs();
    const leftMs = hardAtMs - nowMs;
    const timeoutMs = Math.floor(Math.min(leftMs, this.timeoutMs));
    if (timeoutMs < minCallMs) return [noTime];
    const softLeftMs = Math.floor(softAtMs - nowMs);
    const tmaxMs = softLeftMs < minCallMs ? timeoutMs : Math.min(softLeftMs, timeoutMs);
    const calls = this.#runAdapter('toRequests', () => bidder.toRequests(auction, this.#lessNetworkTime(tmaxMs)));
    if (calls.length === 0) return [{ ...noBid, explain: () => bidder.explainNoBid?.(auction) }];
    if (calls.length > 1) shareLimits(calls);
    if (this.timeoutMs >= leftMs) return calls.map((call) => this.#call(bidder, call, auction, cancellation));
    return this.#callWithin(timeoutMs, cancellation, (own) =>
      calls.map((call) => this.#call(bidder, call, auction, own)),
    );
  }

  /** At least half of the time is left to the partner. */
  #lessNetworkTime(tmaxMs: number): number {
    const { roundTripMs } = this.#parts.learnedTimes;
    return tmaxMs - Math.floor(Math.min(Math.round(roundTripMs), tmaxMs / 2));
  }

  /** What the adapter may see of the auction. */
  #viewOf(auction: Auction): Auction {
    const { consented } = auction;
    return consented && this.gvlId !== undefined && consented.hasConsent(this.gvlId) ? consented.auction : auction;
  }

  /** The partner's own limit cancels its calls without ending the auction. */
  #callWithin(
    timeoutMs: number,
    cancellation: Cancellation,
    start: (own: Cancellation) => Promise<CallOutcome>[],
  ): Promise<CallOutcome>[] {
    const own = cancellation.withTimeout(timeoutMs);
    const outcomes = start(own);
    void Promise.allSettled(outcomes).then(() => own.cancel('late'));
    return outcomes;
  }

  async #call(
    bidder: RemoteBidder,
    call: BidderCall,
    auction: Auction,
    cancellation: Cancellation,
  ): Promise<CallOutcome> {
    for (const param of call.ignoredParams ?? []) this.#parts.onIgnoredParam(param);
    const trace = auction.trace?.startCall(this.name, call.method);
    if (trace) call.traceHeaders = trace.headers;
    if (auction.client !== undefined) call.client = auction.client;
    const response = await this.#parts.callPartner(call, cancellation, auction.request.test === 1);
    const outcome = this.#read(bidder, call, auction, response);
    trace?.end(outcome.result, response.status ?? usualStatus[response.result]);
    return outcome;
  }

  #read(bidder: RemoteBidder, call: BidderCall, auction: Auction, response: PartnerResponse): CallOutcome {
    const { result, body, explain } = response;
    if (result !== 'bid') return { result, bids: noBids, explain };
    const bids = this.#runAdapter('toBids', () => bidder.toBids(call, body, auction));
    return toOutcome(bids, () => bidder.explainNoBid?.({ ...auction, impressions: call.impressions }, body));
  }

  /** A defect in an adapter is reported with the partner it happened for. */
  #runAdapter<Result>(method: string, run: () => Result): Result {
    try {
      return run();
    } catch (cause) {
      const { name, adapter } = this.#parts.settings;
      throw new Error(`adapter ${adapter} failed in ${method} for partner ${name}`, { cause });
    }
  }
}

/** However many calls an auction makes: they have the limits of one. */
function shareLimits(calls: readonly BidderCall[]): void {
  const group = { first: calls[0]!, counted: new Set<BreakerSignal>() };
  for (const call of calls) {
    call.maxBytes = Math.floor(maxResponseBytes / calls.length);
    call.group = group;
  }
}

function toOutcome(bids: UncheckedBid[] | InvalidResponse, explain: ExplainNoBid): CallOutcome {
  if (bids instanceof InvalidResponse) return { result: 'invalid', bids: noBids, explain: bids.explain };
  return bids.length === 0 ? { ...noBid, explain } : { result: 'bid', bids };
}
