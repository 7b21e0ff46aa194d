/** An auction for a title, bids on it, and partners that respond when the test says so. */
import type { Deadline } from '../../src/auction/deadline.ts';
import type { Auction, UncheckedBid } from '../../src/demand/adapter.ts';
import type { Cancellation, CancelReason } from '../../src/demand/cancellation.ts';
import type { CallOutcome, Partner } from '../../src/demand/partner.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';
import { usdOnly } from '../../src/money/rates.ts';
import { usd } from '../../src/money/response-price.ts';

/** Terms of an auction in which USD is the only currency. */
export const inUsd = { rates: usdOnly, currency: usd };

/** One impression per floor, in dollars: `imp-1`, `imp-2`, … */
export function auctionOf(...floors: number[]): Auction {
  const native = { ver: '1.2', assets: [{ id: 1, required: 1 as const, title: { len: 25 } }] };
  const impressions = floors.map((floor, index) => ({
    imp: { id: `imp-${index + 1}`, native: { request: JSON.stringify(native) }, bidfloor: floor },
    native,
    form: 'unwrapped' as const,
    floorMicros: Math.round(floor * 1_000_000),
  }));
  const request = { id: 'request-1', imp: impressions.map(({ imp }) => imp) };
  return { request, impressions, terms: { at: 1, cur: ['USD'] } };
}

export const adm = JSON.stringify({
  assets: [{ id: 1, title: { text: 'Trail shoes' } }],
  link: { url: 'https://shoes.example/' },
});

export const bidOf = (price: number, over: UncheckedBid = {}): UncheckedBid => ({
  id: `bid-${price}`,
  impid: 'imp-1',
  price,
  currency: 'USD',
  adm,
  ...over,
});

/** Keeps the contract of a partner: one outcome per call, and every open call settles when it is cancelled. */
export class FakePartner {
  readonly name: string;
  readonly test: boolean;
  readonly requests: { auction: Auction; deadline: Deadline }[] = [];
  /** How long it is worth waiting for. */
  deadlineMs: number | undefined = Infinity;
  cancelledAs: CancelReason | undefined;
  /** The number of bids sent before the auction ended. */
  sent = 0;
  readonly #calls: { settle: (outcome: CallOutcome) => void; fail: (defect: Error) => void; open: boolean }[];
  #immediately: (() => CallOutcome) | undefined;

  constructor(name: string, { test = false, calls = 1 } = {}) {
    this.name = name;
    this.test = test;
    this.#calls = Array.from({ length: calls }, () => ({ settle: () => {}, fail: () => {}, open: false }));
  }

  /** Like a local bidder. */
  respondsImmediately(result: PartnerResult, ...bids: UncheckedBid[]): this {
    this.#immediately = () => {
      this.sent += bids.length;
      return { result, bids };
    };
    return this;
  }

  throwsImmediately(defect: Error): this {
    this.#immediately = () => {
      throw defect;
    };
    return this;
  }

  requestBids(
    auction: Auction,
    deadline: Deadline,
    cancellation: Cancellation,
  ): (CallOutcome | Promise<CallOutcome>)[] {
    this.requests.push({ auction, deadline });
    if (this.#immediately) return [this.#immediately()];
    const outcomes = this.#calls.map(
      (call) =>
        new Promise<CallOutcome>((resolve, reject) =>
          Object.assign(call, { settle: resolve, fail: reject, open: true }),
        ),
    );
    cancellation.onCancel((reason) => this.#cancel(reason));
    return outcomes;
  }

  respond(result: PartnerResult, bids: UncheckedBid[] = [], callIndex = 0): void {
    const call = this.#calls[callIndex]!;
    if (!call.open) return;
    call.open = false;
    this.sent += bids.length;
    call.settle({ result, bids });
  }

  bids(...bids: UncheckedBid[]): void {
    this.respond('bid', bids);
  }

  fails(defect: Error): void {
    this.#calls[0]!.fail(defect);
  }

  #cancel(reason: CancelReason): void {
    for (const call of this.#calls) {
      if (!call.open) continue;
      call.open = false;
      this.cancelledAs = reason;
      call.settle({ result: reason, bids: [] });
    }
  }
}

/** The private fields of `Partner` make its type nominal; the auction uses only the members that are faked. */
export const asPartners = (fakes: readonly FakePartner[]): Partner[] => fakes as unknown as Partner[];
