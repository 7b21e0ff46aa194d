/** A demand partner at work: whether it is asked, how long it is waited for, and what came of it. */
import {
  type Auction,
  type Bidder,
  type HttpCall,
  invalidResponse,
  type LocalBidder,
  type UncheckedBid,
  type PartnerSettings,
  type RemoteBidder,
} from './adapter.ts';
import type { CallPartner } from './call-partner.ts';
import { moreSevere, type PartnerResult } from './partner-result.ts';

/** Who waits for a partner: told of its bids as they come, and once how it ended. Not any more after `giveUp`. */
export interface Waiter {
  offers(bids: readonly UncheckedBid[]): void;
  done(result: PartnerResult): void;
}

/** Stops waiting: `timeout` where its time was up, `late` where the auction was over. */
export type GiveUp = (as: 'timeout' | 'late') => void;

export interface PartnerParts {
  settings: PartnerSettings;
  bidder: Bidder;
  ask: CallPartner;
  nowMs: () => number;
  onDefect: (thrown: unknown) => void;
  /** A part of the request that the adapter could not use. */
  onIgnoredParam: (part: string) => void;
}

/** A call with less time than this is not worth making. */
const leastMs = 5;

export class Partner {
  readonly name: string;
  readonly test: boolean;
  readonly #parts: PartnerParts;
  readonly #timeoutMs: number;

  constructor(parts: PartnerParts) {
    this.#parts = parts;
    this.name = parts.settings.name;
    this.test = parts.settings.test;
    this.#timeoutMs = parts.settings.timeoutMs ?? Infinity;
  }

  /** Asks, unless the partner is to be spared. Undefined where `waiter` was told everything before this returned. */
  ask(auction: Auction, deadlineMs: number, waiter: Waiter): GiveUp | undefined {
    const { bidder, nowMs } = this.#parts;
    if ('bidLocally' in bidder) return this.#takeBids(bidder, auction, waiter);
    const now = nowMs();
    const tmaxMs = Math.floor(Math.min(deadlineMs - now, this.#timeoutMs));
    if (tmaxMs < leastMs) return end(waiter, 'skipped');
    const calls = this.#attempt(() => bidder.toRequests(auction, tmaxMs));
    if (calls === undefined) return end(waiter, 'error');
    if (calls.length === 0) return end(waiter, 'no_bid');
    const ownLimitMs = this.#timeoutMs < deadlineMs - now ? tmaxMs : undefined;
    return new Asking(this.#parts, bidder, auction, calls, ownLimitMs, waiter).start();
  }

  #takeBids(bidder: LocalBidder, auction: Auction, waiter: Waiter): undefined {
    const bids = this.#attempt(() => bidder.bidLocally(auction));
    if (bids === undefined) return end(waiter, 'error');
    if (bids.length === 0) return end(waiter, 'no_bid');
    waiter.offers(bids);
    return end(waiter, 'bid');
  }

  /** Undefined where the adapter met a defect: that costs its own partner, nobody else. */
  #attempt<T>(ask: () => T): T | undefined {
    try {
      return ask();
    } catch (thrown) {
      this.#parts.onDefect(thrown);
      return undefined;
    }
  }
}

function end(waiter: Waiter, result: PartnerResult): undefined {
  waiter.done(result);
}

/** The calls to one partner for one auction. */
class Asking {
  readonly #parts: PartnerParts;
  readonly #bidder: RemoteBidder;
  readonly #auction: Auction;
  readonly #calls: readonly HttpCall[];
  /** The partner's own limit, where it is over before the auction. */
  readonly #limitMs: number | undefined;
  readonly #waiter: Waiter;
  readonly #aborts: (() => void)[] = [];
  #open: number;
  #result: PartnerResult = 'no_bid';
  #over = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    parts: PartnerParts,
    bidder: RemoteBidder,
    auction: Auction,
    calls: readonly HttpCall[],
    limitMs: number | undefined,
    waiter: Waiter,
  ) {
    this.#parts = parts;
    this.#bidder = bidder;
    this.#auction = auction;
    this.#calls = calls;
    this.#limitMs = limitMs;
    this.#waiter = waiter;
    this.#open = calls.length;
  }

  start(): GiveUp | undefined {
    for (const call of this.#calls) this.#call(call);
    if (this.#over) return undefined;
    if (this.#limitMs !== undefined) {
      // An answer that is in its socket already goes first.
      this.#timer = setTimeout(() => setImmediate(() => this.#giveUp('timeout')), this.#limitMs);
    }
    return (as) => this.#giveUp(as);
  }

  #call(call: HttpCall): void {
    for (const part of call.ignoredParams ?? []) this.#parts.onIgnoredParam(part);
    try {
      this.#aborts.push(
        this.#parts.ask(call, (...answer) => this.#answered(call, ...answer), this.#auction.request.test === 1),
      );
    } catch (thrown) {
      this.#parts.onDefect(thrown);
      this.#settle('error');
    }
  }

  #answered(call: HttpCall, ending: PartnerResult, body?: unknown): void {
    if (this.#over) return;
    if (ending === 'bid') this.#read(call, body);
    else this.#settle(ending);
  }

  #read(call: HttpCall, answer: unknown): void {
    let result: PartnerResult;
    try {
      result = this.#pass(this.#bidder.toBids(call, answer, this.#auction));
    } catch (thrown) {
      this.#parts.onDefect(thrown);
      result = 'error';
    }
    if (!this.#over) this.#settle(result);
  }

  #pass(bids: UncheckedBid[] | typeof invalidResponse): PartnerResult {
    if (bids === invalidResponse) return 'invalid';
    if (bids.length === 0) return 'no_bid';
    this.#result = 'bid'; // before it is told: the waiter may be content and give up the rest
    this.#waiter.offers(bids);
    return 'bid';
  }

  #settle(result: PartnerResult): void {
    this.#result = moreSevere(result, this.#result);
    this.#open--;
    if (this.#open === 0) this.#finish(this.#result);
  }

  #giveUp(as: 'timeout' | 'late'): void {
    if (this.#over) return;
    this.#finish(this.#result === 'bid' ? 'bid' : as);
    for (const abort of this.#aborts) abort();
  }

  #finish(result: PartnerResult): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#waiter.done(result);
  }
}
