/** A place where buckets are kept for many workers: it decides on a batch of claims, in their order. */
import type { Decision } from './decision.ts';
import type { RateLimitKeys } from './rate-limiter.ts';

export interface BatchDecision {
  /** The clock by which it was decided, in microseconds of the epoch. */
  nowMicros: number;
  /** One for each claim. */
  decisions: Decision[];
}

/** Places of buckets go over the wire as single bytes of ASCII: the global one and two a claim make 127. */
export const mostClaims = 63;

export interface Buckets {
  /** Of `mostClaims` at the most. Rejects where the place cannot be reached in time; then nobody knows whether it was charged. */
  decideAll(claims: readonly RateLimitKeys[]): Promise<BatchDecision>;
  /** Rejects where it could not decide now: it charges nothing, but writes as a decision does. */
  probe(): Promise<void>;
}
