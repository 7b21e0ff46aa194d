/** The port to the token buckets: the call that decides a batch, and the encoding of one decision. */
import { type Kind, kinds } from './bucket-refs.ts';

/** Buckets that many workers share. */
export interface Buckets {
  /**
   * Decides at most `maxBatchSize` requests, in order.
   * Rejects with `BucketsUnavailable` if there is no response in time; the batch may or may not have been executed then.
   * `timeoutMs` is the time for this call, if it is not the usual one.
   */
  decideAll(batch: BucketBatch, timeoutMs?: number): Promise<BatchDecision>;
  /** The usual time for a call. */
  readonly timeoutMs: number;
  /** Charges nothing. Rejects if `decideAll` would fail now. */
  probe(): Promise<void>;
  /** Ends the connection, if there is one. */
  close?(): void;
}

/** Plain numbers and names: it is sent to Redis or to the primary. Leases are closed and pending charges settled first, then requests decided, then leases granted. */
export interface BucketBatch {
  /** The buckets of the batch, each once; the global bucket is the first, charged or not. */
  names: string[];
  /** The limit of each bucket. */
  limits: number[];
  /** `kinds.length` numbers per request: the position of its bucket of that kind in `names`, from 1; 0 if it is not charged. */
  requests: number[];
  /** `leaseFields` numbers per lease: position of the bucket, epoch of the lease to close, its tokens, those unspent, tokens wanted. */
  leases: number[];
  /** The first so many requests are charged as pending: a later call settles them. None if absent. */
  pendingRequests?: number;
  /** `settlementFields` numbers per bucket with pending charges to settle: position of the bucket, epoch of the charges, their tokens, those refunded. */
  settlements?: number[];
}

export const leaseFields = 5;
export const settlementFields = 4;

export interface BatchDecision {
  /** The clock of the buckets, in microseconds since the epoch. */
  nowMicros: number;
  /** One per request. */
  decisions: Decision[];
  /** Two numbers per lease of the batch: tokens granted, and microseconds until the bucket is full again if they are spent. */
  grants: number[];
  /** The clock of the bucket of each lease; absent if all buckets have one clock. */
  grantClocks?: number[];
}

/** Throws `BucketsUnavailable` if the reply does not belong to the batch. */
export function checkReply({ requests, leases }: BucketBatch, { decisions, grants }: BatchDecision): void {
  const expected = requests.length / kinds.length;
  if (decisions.length !== expected || grants.length !== (leases.length / leaseFields) * 2) {
    throw new BucketsUnavailable(`${decisions.length} decisions for ${expected} requests`);
  }
}

/** Keeps a call short: Redis decides this many in less than a millisecond. */
export const maxBatchSize = 250;

/** The shared buckets cannot be reached or sent an unusable response. Every other error of `decideAll` is a defect. */
export class BucketsUnavailable extends Error {}

/**
 * One integer: fullInMicros × 2²³ + remaining × 8 + index of the kind × 2 + (1 if admitted), all of the reported bucket.
 * Negative: not decided, because a bucket is empty but workers hold tokens of it. They are returned or lost within that many microseconds.
 */
export type Decision = number;

export interface DecisionParts {
  admitted: boolean;
  kind: Kind;
  remaining: number;
  fullInMicros: number;
}

/** Limits are at most a million and no bucket takes two seconds to fill: the lower part stays below 2²³, the sum below 2⁵³. */
const fullInUnit = 2 ** 23;

export const encodeDecision = (remaining: number, kind: Kind, admitted: boolean, fullInMicros: number): Decision =>
  fullInMicros * fullInUnit + remaining * 8 + kinds.indexOf(kind) * 2 + (admitted ? 1 : 0);

export function decodeDecision(decision: Decision): DecisionParts {
  const low = decision % fullInUnit;
  return {
    admitted: low % 2 === 1,
    kind: kinds[(low >> 1) & 3]!,
    remaining: low >> 3,
    fullInMicros: Math.floor(decision / fullInUnit),
  };
}

export const isUndecided = (decision: Decision): boolean => decision < 0;

export const isRejection = (decision: Decision): boolean => decision >= 0 && decision % 2 === 0;

export const isAdmission = (decision: Decision): boolean => !isUndecided(decision) && !isRejection(decision);

/** Whether the first of two admissions of a request reports the bucket with fewer tokens left, or, on a tie, the narrower one. */
export function isTighter(one: Decision, other: Decision): boolean {
  const { kind, remaining } = decodeDecision(one);
  const than = decodeDecision(other);
  return remaining < than.remaining || (remaining === than.remaining && kinds.indexOf(kind) < kinds.indexOf(than.kind));
}
