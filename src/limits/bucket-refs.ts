/** The buckets that a request is charged to, with the limit of each. */
import { createHash } from 'node:crypto';
import type { Limits, RateLimitKeys, Scope } from './rate-limiter.ts';

/** Narrowest first: of buckets with equally few tokens left, the first is reported. */
export const kinds = ['ip', 'publisher', 'strangers', 'global'] as const;
export type Kind = (typeof kinds)[number];

/** Requests that may not use the reserved share of the global limit are charged to a second bucket of the global scope. */
export const scopeOf = (kind: Kind): Scope => (kind === 'strangers' ? 'global' : kind);

export interface BucketRef {
  readonly kind: Kind;
  /** Buckets with an own limit have names of their own: a bucket has one limit. */
  readonly name: string;
  readonly limit: number;
}

export const globalName = 'g';
const strangersName = 's';

/** Callers choose publisher ids of any length; longer ids are hashed. */
const maxPublisherLength = 64;

const shorten = (id: string): string =>
  id.length <= maxPublisherLength ? id : createHash('sha256').update(id).digest('base64url');

/** A worker's part of a limit, rounded down so that the parts never exceed it; at least one token. */
export const perWorkerLimits = (limit: number, workers: number): number => Math.max(1, Math.floor(limit / workers));

export const isAddressName = (name: string): boolean => name.startsWith('i');

export class BucketResolver {
  readonly #limits: Limits;
  readonly #workers: number;
  readonly #global: BucketRef;
  readonly #strangers: BucketRef | undefined;

  /** Every limit is divided by `workers`. */
  constructor(limits: Limits, workers = 1) {
    this.#limits = limits;
    this.#workers = workers;
    this.#global = { kind: 'global', name: globalName, limit: this.#part(limits.global) };
    this.#strangers = limits.reservedShare
      ? {
          kind: 'strangers',
          name: strangersName,
          limit: this.#part(strangersLimit(limits.global, limits.reservedShare)),
        }
      : undefined;
  }

  /** In the order of `kinds`, at most one of each. */
  resolve({ ip, publisher, own }: RateLimitKeys): BucketRef[] {
    const refs: BucketRef[] = [];
    if (own?.ip !== 'exempt') refs.push(this.#ref('ip', 'i', ip, own?.ip));
    if (publisher !== undefined) refs.push(this.#ref('publisher', 'p', shorten(publisher), own?.publisher));
    if (this.#strangers && !own?.reserved) refs.push(this.#strangers);
    refs.push(this.#global);
    return refs;
  }

  /** The limit is in front: ids of callers cannot imitate it. */
  #ref(kind: 'ip' | 'publisher', prefix: string, id: string, ownLimit: number | undefined): BucketRef {
    return ownLimit === undefined
      ? { kind, name: `${prefix}:${id}`, limit: this.#part(this.#limits[kind]) }
      : { kind, name: `${prefix}${ownLimit}:${id}`, limit: this.#part(ownLimit) };
  }

  #part(limit: number): number {
    return perWorkerLimits(limit, this.#workers);
  }
}

/** Rounded to a millionth first: 10,000 × (1 − 0.9) must be 1,000. */
export const strangersLimit = (globalLimit: number, reservedShare: number): number =>
  Math.max(1, Math.floor(Math.round(globalLimit * (1 - reservedShare) * 1_000_000) / 1_000_000));
