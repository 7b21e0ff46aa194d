/** A publisher of the publishers file at run time: who may send its id, and the terms of its auctions. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { LimitOverrides } from '../limits/rate-limiter.ts';
import { type AddressBits, AddressRanges } from './address-ranges.ts';
import type { PublisherSettings } from './publishers-settings.ts';

/** Why a request may not send the publisher's id. */
export type AccessProblem = 'noKey' | 'noKeyOrAddress' | 'wrongKey' | 'wrongAddress';

/** CPM; the currency is in upper case. */
export interface PublisherFloor {
  amount: number;
  currency: string;
}

/** The prefix of a hashed key in the file. */
export const hashPrefix = 'sha256:';

/** The syntax of RFC 6750. The scheme has no case. */
const bearer = /^bearer +([\w.~+/-]+=*) *$/i;

export class Publisher {
  /** The limit of its own bucket, and its use of the global bucket's reserved share. */
  readonly limitOverrides: LimitOverrides;
  readonly floor: PublisherFloor | undefined;
  readonly #keyHashes: readonly Buffer[];
  readonly #ranges: AddressRanges<true> | undefined;
  readonly #allowedPartners: ReadonlySet<string> | undefined;
  readonly #blockedPartners: ReadonlySet<string>;

  constructor({ limit, apiKeys = [], addresses, floor, floorCurrency, partners }: PublisherSettings) {
    this.limitOverrides = Object.freeze({ ...(limit !== undefined && { publisher: limit }), reserved: true });
    this.floor = floor ? { amount: floor, currency: floorCurrency?.toUpperCase() ?? 'USD' } : undefined;
    this.#keyHashes = apiKeys.map((key) => Buffer.from(key.slice(hashPrefix.length), 'hex'));
    this.#ranges = addresses && new AddressRanges(addresses.map((range) => [range, true]));
    this.#allowedPartners = partners?.allowed && new Set(partners.allowed);
    this.#blockedPartners = new Set(partners?.blocked);
  }

  /** Whether the partner may receive the publisher's requests. */
  allowsPartner(name: string): boolean {
    return this.#allowedPartners?.has(name) !== false && !this.#blockedPartners.has(name);
  }

  /** Undefined if the request may send the publisher's id: a key or an address suffices. */
  checkAccess(address: AddressBits | undefined, authorization: string | undefined): AccessProblem | undefined {
    if (this.#keyHashes.length === 0 && !this.#ranges) return undefined;
    if (address && this.#ranges?.find(address)) return undefined;
    if (this.#keyHashes.length === 0) return 'wrongAddress';
    const key = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    if (key === undefined) return this.#ranges ? 'noKeyOrAddress' : 'noKey';
    return this.#isKey(key) ? undefined : 'wrongKey';
  }

  #isKey(key: string): boolean {
    const hashed = hash('sha256', key, 'buffer');
    let isKnown = false;
    for (const known of this.#keyHashes) if (timingSafeEqual(known, hashed)) isKnown = true;
    return isKnown;
  }
}
