/** A place where buckets are kept for many workers: it decides on a batch of claims, in their order. */
import type { Decision } from './decision.ts';
import type { Claim } from './limiter.ts';

export interface BatchDecision {
  /** The clock by which it was decided, in microseconds of the epoch. */
  nowMicros: number;
  /** One for each claim. */
  decisions: Decision[];
}

export interface Buckets {
  /** Rejects where the place cannot be reached in time; then nobody knows whether it was charged. */
  decideAll(claims: readonly Claim[]): Promise<BatchDecision>;
}
