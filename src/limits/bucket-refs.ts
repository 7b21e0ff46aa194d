/** The buckets that a request is charged to, with the limit of each. */
import { createHash } from 'node:crypto';
import type { Limits, RateLimitKeys, Scope } from './rate-limiter.ts';

/** Narrowest first: of buckets with equally few tokens left, the first is reported. */
export const kinds = ['ip', 'publisher', 'unreserved', 'global'] as const;
export type Kind = (typeof kinds)[number];

/** Requests that may not use the reserved share of the global limit are charged to a second bucket of the global scope. */
export const scopeOf = (kind: Kind): Scope => (kind === 'unreserved' ? 'global' : kind);

export interface BucketRef {
  readonly kind: Kind;
  /** Buckets with an own limit have names of their own: a bucket has one limit. */
  readonly name: string;
  readonly limit: number;
}

export const globalName = 'g';
const unreservedName = 'u';

/** Callers choose publisher ids of any length; longer ids are hashed, with a prefix of their own: a caller can send the hash of an id. */
const maxPublisherLength = 64;

const shorten = (id: string): [prefix: string, id: string] =>
  id.length <= maxPublisherLength ? ['p', id] : ['h', createHash('sha256').update(id).digest('base64url')];

/** A worker's share of a limit, rounded down but at least one token: the shares exceed only a limit below the number of workers. */
export const perWorkerLimits = (limit: number, divisor: number): number => Math.max(1, Math.floor(limit / divisor));

export const isAddressName = (name: string): boolean => name.startsWith('i');

export class BucketResolver {
  readonly #limits: Limits;
  readonly #divisor: number;
  readonly #global: BucketRef;
  readonly #unreserved: BucketRef | undefined;

  /** Every limit is divided by `divisor`, which is not always an integer. */
  constructor(limits: Limits, divisor = 1) {
    this.#limits = limits;
    this.#divisor = divisor;
    this.#global = { kind: 'global', name: globalName, limit: this.#share(limits.global) };
    this.#unreserved = limits.reservedShare
      ? {
          kind: 'unreserved',
          name: unreservedName,
          limit: this.#share(unreservedLimit(limits.global, limits.reservedShare)),
        }
      : undefined;
  }

  /** In the order of `kinds`, at most one of each. */
  resolve({ ip, publisher, overrides }: RateLimitKeys): BucketRef[] {
    const refs: BucketRef[] = [];
    if (overrides?.ip !== 'exempt') refs.push(this.#ref('ip', 'i', ip, overrides?.ip));
    if (publisher !== undefined) refs.push(this.#ref('publisher', ...shorten(publisher), overrides?.publisher));
    if (this.#unreserved && !overrides?.reserved) refs.push(this.#unreserved);
    refs.push(this.#global);
    return refs;
  }

  /** The limit is in front: ids of callers cannot imitate it. */
  #ref(kind: 'ip' | 'publisher', prefix: string, id: string, ownLimit: number | undefined): BucketRef {
    return ownLimit === undefined
      ? { kind, name: `${prefix}:${id}`, limit: this.#share(this.#limits[kind]) }
      : { kind, name: `${prefix}${ownLimit}:${id}`, limit: this.#share(ownLimit) };
  }

  #share(limit: number): number {
    return perWorkerLimits(limit, this.#divisor);
  }
}

/** Rounded to a millionth first: 10,000 × (1 − 0.9) must be 1,000. */
export const unreservedLimit = (globalLimit: number, reservedShare: number): number =>
  Math.max(1, Math.floor(Math.round(globalLimit * (1 - reservedShare) * 1_000_000) / 1_000_000));
