/** The rate-limit stage: the port through which a request is charged to all of its token buckets at once. */

/** Narrowest first: of scopes with equally few tokens left, the first is reported. */
export const scopes = ['ip', 'publisher', 'global'] as const;
export type Scope = (typeof scopes)[number];

/** Capacity of every bucket of a scope in tokens, and its refill rate in tokens per second; at most a million. */
export interface Limits extends Readonly<Record<Scope, number>> {
  /** The share of the global limit, from 0 to below 1, that only requests with `overrides.reserved` may use. */
  readonly reservedShare?: number;
}

/** Identifies the buckets of a request. The global bucket is always charged, so it needs no key. */
export interface RateLimitKeys {
  ip: string;
  /** Undefined if the request has no publisher id: the publisher scope is then skipped. */
  publisher: string | undefined;
  /** Limits of these buckets other than the defaults. */
  overrides?: LimitOverrides;
}

/** What the publishers file says of the buckets of a request. */
export interface LimitOverrides {
  /** Tokens per second of the address bucket; `exempt`: the address scope is skipped. */
  ip?: number | 'exempt';
  publisher?: number;
  /** True if the publisher is in the file: the request may use the reserved share of the global limit. */
  reserved?: true;
}

export interface RateLimitResult {
  admitted: boolean;
  /** The scope that rejected the request, or the admitted request's scope with the fewest tokens left. */
  scope: Scope;
  limit: number;
  remaining: number;
  /** When the bucket of that scope is full again, in milliseconds since the epoch. */
  resetAtMs: number;
}

export interface RateLimiter {
  /** Resolves whether or not the shared buckets can be reached; rejects only on a defect. */
  decide(keys: RateLimitKeys): Promise<RateLimitResult>;
  /** A rejection that is cached and still certain; charges nothing. */
  cachedRejection(keys: RateLimitKeys): RateLimitResult | undefined;
}
