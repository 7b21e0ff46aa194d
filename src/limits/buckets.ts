/** The port to the token buckets: bucket names, the call that decides a batch, and the encoding of one decision. */
import { createHash } from 'node:crypto';
import { type RateLimitKeys, type Scope, scopes } from './rate-limiter.ts';

/** Buckets that many workers share. */
export interface Buckets {
  /**
   * Decides at most `maxBatchSize` requests, in order.
   * Rejects with `BucketsUnavailable` if there is no response in time; the batch may or may not have been charged then.
   */
  decideAll(batch: readonly RateLimitKeys[]): Promise<BatchDecision>;
  /** Charges nothing. Rejects if `decideAll` would fail now. */
  probe(): Promise<void>;
  /** Ends the connection, if there is one. */
  close?(): void;
}

export interface BatchDecision {
  /** The clock of the buckets, in microseconds since the epoch. */
  nowMicros: number;
  /** One per request. */
  decisions: Decision[];
}

/** The script receives bucket indexes as single ASCII bytes: the global bucket and two per request make 127. */
export const maxBatchSize = 63;

/** The shared buckets cannot be reached or sent an unusable response. Every other error of `decideAll` is a defect. */
export class BucketsUnavailable extends Error {}

export const globalKey = 'g';
const ipPrefix = 'i:';
const publisherPrefix = 'p:';

/** Callers choose publisher ids of any length; longer ids are hashed. */
const maxPublisherLength = 64;

export interface BucketKeys {
  ip: string;
  publisher: string | undefined;
  global: string;
}

export const bucketKeys = ({ ip, publisher }: RateLimitKeys): BucketKeys => ({
  ip: ipPrefix + ip,
  publisher: publisher === undefined ? undefined : publisherPrefix + shorten(publisher),
  global: globalKey,
});

/** The same buckets in a message of bounded size: a long publisher id is replaced by its hash. */
export const shortenKeys = (keys: RateLimitKeys): RateLimitKeys =>
  keys.publisher === undefined || keys.publisher.length <= maxPublisherLength
    ? keys
    : { ip: keys.ip, publisher: shorten(keys.publisher) };

const shorten = (id: string): string =>
  id.length <= maxPublisherLength ? id : createHash('sha256').update(id).digest('base64url');

/** One integer: fullInMicros × 2²³ + remaining × 8 + index of the scope × 2 + (1 if admitted), all of the reported scope. */
export type Decision = number;

export interface DecisionParts {
  admitted: boolean;
  scope: Scope;
  remaining: number;
  fullInMicros: number;
}

/** Limits are at most a million and no bucket takes two seconds to fill: the lower part stays below 2²³, the sum below 2⁵³. */
const fullInUnit = 2 ** 23;

export const encodeDecision = (remaining: number, scope: Scope, admitted: boolean, fullInMicros: number): Decision =>
  fullInMicros * fullInUnit + remaining * 8 + scopes.indexOf(scope) * 2 + (admitted ? 1 : 0);

export function decodeDecision(decision: Decision): DecisionParts {
  const low = decision % fullInUnit;
  return {
    admitted: !isRejection(low),
    scope: scopes[(low >> 1) & 3]!,
    remaining: low >> 3,
    fullInMicros: Math.floor(decision / fullInUnit),
  };
}

export const isRejection = (decision: Decision): boolean => decision % 2 === 0;
