/** The lists of a request that restrict who may bid with what. Each is compiled when a bid needs it. */
import { isObject } from '../json/guards.ts';
import { perObject } from '../memory/per-object.ts';
import { isSafeInteger } from './bid-bounds.ts';
import type { BidRequest } from './bid-request.ts';
import { DomainSet } from './domain-set.ts';

/** OpenRTB's default taxonomy, IAB Content Categories 1.0: `IAB25-3` is a child of `IAB25`. */
const firstTaxonomy = 1;

export class BlockingLists {
  readonly hasBlockedAdvertisers: boolean;
  readonly requiresDsa: boolean;
  readonly #request: BidRequest;
  #allowedSeats: ReadonlySet<unknown> | undefined;
  #blockedSeats: ReadonlySet<unknown> | undefined;
  #advertisers: DomainSet | undefined;
  /** By list of domains: a campaign is checked when it is chosen and when it has bid, for every impression. */
  readonly #areAdvertisersBlocked = new Map<readonly string[], boolean>();
  #categories: ReadonlySet<unknown> | undefined;
  #apps: ReadonlySet<unknown> | undefined;

  constructor(request: BidRequest) {
    this.#request = request;
    this.hasBlockedAdvertisers = isFilled(request.badv);
    this.requiresDsa = requiresDsa(request);
  }

  allowsSeat(seat: unknown): boolean {
    const { wseat } = this.#request;
    return !isFilled(wseat) || (this.#allowedSeats ??= new Set(wseat)).has(seat);
  }

  /** `bseat` is ignored where `wseat` is given. */
  blocksSeat(seat: unknown): boolean {
    const { wseat, bseat } = this.#request;
    return isFilled(bseat) && !isFilled(wseat) && isListed(asText(seat), (this.#blockedSeats ??= new Set(bseat)));
  }

  blocksAdvertiser(domains: readonly string[]): boolean {
    if (!this.hasBlockedAdvertisers) return false;
    let isBlocked = this.#areAdvertisersBlocked.get(domains);
    if (isBlocked === undefined) {
      isBlocked = domains.some((domain) => this.blocksDomain(domain));
      this.#areAdvertisersBlocked.set(domains, isBlocked);
    }
    return isBlocked;
  }

  blocksDomain(domain: string): boolean {
    this.#advertisers ??= new DomainSet(this.#request.badv ?? []);
    return this.#advertisers.covers(domain);
  }

  /** Categories of different taxonomies cannot be compared. */
  blocksCategory(categories: unknown, bidTaxonomy: unknown): boolean {
    const { bcat, cattax = firstTaxonomy } = this.#request;
    if (!isFilled(bcat)) return false;
    if (!isOfTaxonomy(bidTaxonomy, cattax)) return false;
    this.#categories ??= new Set(bcat);
    for (const given of asList(categories)) {
      const category = asText(given);
      if (isListed(category, this.#categories)) return true;
      if (cattax === firstTaxonomy && this.#categories.has(parentOf(category))) return true;
    }
    return false;
  }

  blocksApp(bundle: unknown): boolean {
    const { bapp } = this.#request;
    return isFilled(bapp) && isListed(asText(bundle), (this.#apps ??= new Set(bapp)));
  }
}

/** Undefined if the request restricts nothing. */
export const readBlockingLists = (request: BidRequest): BlockingLists | undefined =>
  restricts(request) ? new BlockingLists(request) : undefined;

function restricts(request: BidRequest): boolean {
  const { badv, bcat, bapp, wseat, bseat } = request;
  const hasList = isFilled(badv) || isFilled(bcat) || isFilled(bapp) || isFilled(wseat) || isFilled(bseat);
  return hasList || requiresDsa(request);
}

const setOf = perObject((battr: readonly number[]): ReadonlySet<unknown> => new Set(battr));

/** `battr` is that of an impression. */
export function blocksAttribute(battr: readonly number[] | undefined, attributes: unknown): boolean {
  if (!isFilled(battr)) return false;
  const blocked = setOf(battr);
  for (const attribute of asList(attributes)) {
    if (isListed(typeof attribute === 'string' ? Number(attribute) : attribute, blocked)) return true;
  }
  return false;
}

/** A wrong type must not carry a bid past a list: one value counts as a list of it, a number as its digits, and what cannot be compared as listed. */
const isListed = (value: unknown, list: ReadonlySet<unknown>): boolean =>
  list.has(value) || (typeof value === 'object' && value !== null);
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

/** The response omits a taxonomy of the wrong type, so its reader assumes the default. One that is not a number counts as any taxonomy. */
function isOfTaxonomy(given: unknown, requested: number): boolean {
  if (isSafeInteger(given)) return given === requested;
  if (requested === firstTaxonomy) return true;
  if (given === undefined || given === null || given === '') return false;
  return typeof given !== 'string' || !/^\d{1,9}$/.test(given) || Number(given) === requested;
}

/** An empty list is the same as none. */
const isFilled = <T>(list: readonly T[] | undefined): list is readonly T[] => list !== undefined && list.length > 0;

/** 2: bids without transparency data are not accepted. 3: neither, and the publisher is an online platform. */
function requiresDsa({ regs }: BidRequest): boolean {
  const dsa = regs?.ext?.dsa;
  return isObject(dsa) && [2, 3].includes(Number(dsa.dsarequired)); // a number in quotes counts, too
}

function parentOf(category: unknown): string | undefined {
  if (typeof category !== 'string') return undefined;
  const dash = category.indexOf('-');
  return dash === -1 ? undefined : category.slice(0, dash);
}
