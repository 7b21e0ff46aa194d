/** An auction for a title, bids on it, and partners that do what they are told when they are told. */
import type { Auction, UncheckedBid } from '../../src/demand/adapter.ts';
import type { GiveUp, Partner, Waiter } from '../../src/demand/partner.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';

/** One impression for each floor, in dollars: `imp-1`, `imp-2`, … */
export function auctionOf(...floors: number[]): Auction {
  const native = { ver: '1.2', assets: [{ id: 1, required: 1 as const, title: { len: 25 } }] };
  const impressions = floors.map((floor, index) => ({
    imp: { id: `imp-${index + 1}`, native: { request: JSON.stringify(native) }, bidfloor: floor },
    native,
    form: 'unwrapped' as const,
    floorMicros: Math.round(floor * 1_000_000),
  }));
  return { request: { id: 'request-1', imp: impressions.map(({ imp }) => imp) }, impressions };
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

/** Keeps the contract of a partner; `answersAtOnce` makes it one that never leaves this process. */
export class FakePartner {
  readonly name: string;
  readonly test: boolean;
  /** What it was asked with. */
  readonly asked: { auction: Auction; deadlineMs: number }[] = [];
  readonly givenUp: ('timeout' | 'late')[] = [];
  /** How many bids the auction was told of. */
  offered = 0;
  #waiter: Waiter | undefined;
  #atOnce: (() => void) | undefined;

  constructor(name: string, { test = false } = {}) {
    this.name = name;
    this.test = test;
  }

  get isWaitedFor(): boolean {
    return this.#waiter !== undefined;
  }

  answersAtOnce(result: PartnerResult, ...bids: UncheckedBid[]): this {
    this.#atOnce = () => {
      if (bids.length > 0) this.offers(...bids);
      this.ends(result);
    };
    return this;
  }

  ask(auction: Auction, deadlineMs: number, waiter: Waiter): GiveUp | undefined {
    this.asked.push({ auction, deadlineMs });
    this.#waiter = waiter;
    this.#atOnce?.();
    if (!this.#waiter) return undefined;
    return (as) => {
      if (!this.#waiter) return;
      this.givenUp.push(as);
      this.ends(this.offered > 0 ? 'bid' : as);
    };
  }

  offers(...bids: UncheckedBid[]): void {
    if (!this.#waiter) return;
    this.offered += bids.length;
    this.#waiter.offers(bids);
  }

  ends(result: PartnerResult): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.done(result);
  }

  bids(...bids: UncheckedBid[]): void {
    this.offers(...bids);
    this.ends('bid');
  }
}

/** A partner's own state is hidden, so that nothing but a partner is one; the auction knows only what is faked. */
export const asPartners = (fakes: readonly FakePartner[]): Partner[] => fakes as unknown as Partner[];
