/** The deals that are offered on an impression, compiled when the first bid names one. */
import { fractionalFloor, type FractionalFloor, rateOf, toMicros } from '../money/micros.ts';
import type { Rates } from '../money/rates.ts';
import type { Deal, DealType, Pmp } from './bid-request.ts';
import { DomainSet } from './domain-set.ts';

export class Deals {
  /** Whether only bids with a deal may win. */
  readonly isPrivate: boolean;
  readonly #deals: readonly Deal[];
  readonly #rates: Rates;
  #byId: Map<unknown, OfferedDeal> | undefined;

  constructor({ private_auction, deals = [] }: Pmp, rates: Rates) {
    this.isPrivate = private_auction === 1;
    this.#deals = deals;
    this.#rates = rates;
  }

  /** If several deals have the same id, the first one counts. */
  find(id: unknown): OfferedDeal | undefined {
    if (!this.#byId) {
      this.#byId = new Map();
      for (const deal of this.#deals) {
        if (!this.#byId.has(deal.id)) this.#byId.set(deal.id, new OfferedDeal(deal, this.#rates));
      }
    }
    return this.#byId.get(id);
  }
}

export class OfferedDeal {
  /** Infinite if there is a floor in a currency without a rate: no bid can be compared with it. */
  readonly floorMicros: number;
  readonly fractional: FractionalFloor | undefined;
  /** Undefined: the type of the auction. */
  readonly at: DealType | undefined;
  /** As the request gave it. */
  readonly terms: Deal;
  #seats: ReadonlySet<unknown> | undefined;
  #advertisers: DomainSet | undefined;

  constructor(deal: Deal, rates: Rates) {
    const { bidfloor = 0, bidfloorcur } = deal;
    const rate = rateOf(bidfloorcur, rates);
    if (!bidfloor) this.floorMicros = 0;
    else this.floorMicros = rate === undefined ? Infinity : toMicros(bidfloor, rate);
    this.fractional = rate === undefined ? undefined : fractionalFloor(bidfloor, bidfloorcur, rate);
    this.at = deal.at;
    this.terms = deal;
  }

  allowsSeat(seat: unknown): boolean {
    const { wseat = [] } = this.terms;
    return wseat.length === 0 || (this.#seats ??= new Set(wseat)).has(seat);
  }

  /** Every domain must be allowed. A bid without domains cannot be checked, so it is allowed only if there is no list. */
  allowsAdvertiser(domains: readonly string[]): boolean {
    const { wadomain = [] } = this.terms;
    if (wadomain.length === 0) return true;
    this.#advertisers ??= new DomainSet(wadomain);
    for (const domain of domains) if (!this.#advertisers.covers(domain)) return false;
    return domains.length > 0;
  }
}
