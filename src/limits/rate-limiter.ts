/** The station "admit": the port through which a request asks all its token buckets at once. */

/** The scopes, narrowest first: the order in which ties for the tightest are settled. */
export const scopes = ['ip', 'publisher', 'global'] as const;
export type Scope = (typeof scopes)[number];

/** Tokens, and tokens a second, of every bucket of a scope. */
export type Limits = Readonly<Record<Scope, number>>;

/** Whose buckets a request draws from; the global one always. */
export interface RateLimitKeys {
  ip: string;
  publisher: string | undefined;
}

/** The word of the buckets: what the tightest scope has left, or which scope refused. */
export interface RateLimitResult {
  admitted: boolean;
  scope: Scope;
  limit: number;
  remaining: number;
  /** When that bucket is full again, in milliseconds of the epoch. */
  resetAtMs: number;
}

export interface RateLimiter {
  /** Tells the verdict once, perhaps before it returns; there is one whatever happens to the buckets' place. */
  decide(claim: RateLimitKeys, tell: (verdict: RateLimitResult) => void): void;
  /** A refusal that is known already and still certain. */
  cachedRejection(claim: RateLimitKeys): RateLimitResult | undefined;
}
