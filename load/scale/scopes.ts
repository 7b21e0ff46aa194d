/** Is each scope exact? Traffic at twice the limit of one scope and below those of the others, and what it must get. */
import { type Offered, offer, type OfferedBucket, type OfferedRequest, toRequest } from './offer.ts';
import { exactness, loweredLimits, maxMissingTokens } from './settings.ts';

export type Scope = keyof typeof loweredLimits;

interface ScopeTraffic {
  scope: Scope;
  buckets: number;
  /** Of each bucket, so that a client stays below its own limits. */
  addressesPerBucket: number;
}

const overload = 2;
const publishers = 20;

const traffic: readonly ScopeTraffic[] = [
  { scope: 'ip', buckets: 10, addressesPerBucket: 1 },
  { scope: 'publisher', buckets: 2, addressesPerBucket: 40 },
  { scope: 'global', buckets: 1, addressesPerBucket: 200 },
];

export interface Exactness {
  scope: Scope;
  buckets: number;
  offered: Offered;
  /** The most that the buckets allow: limit × (1 + T) each. */
  allowed: number;
  /** What the buckets admit if every request is decided at the time it was sent. */
  expected: number;
  /** The largest number of requests above the allowed one that a bucket admitted. */
  over: number;
  /** The largest number of requests below the expected one that a bucket admitted. */
  missing: number;
  /** How many may be missing, because requests are decided later than they were sent. */
  maxMissing: number;
}

export const allScopes = traffic.map(({ scope }) => scope);

/** The buckets must be full. */
export async function measureScope(scope: Scope): Promise<Exactness> {
  const one = traffic.find((candidate) => candidate.scope === scope)!;
  const limit = loweredLimits[scope];
  const offered = await offer(requestsOf(one), overload * limit * one.buckets, exactness.seconds);
  const perBucket = Math.floor(limit * (1 + offered.seconds));
  const expected = offered.buckets.map((bucket) => expectedOf(bucket, limit));
  return {
    scope,
    buckets: one.buckets,
    offered,
    allowed: perBucket * one.buckets,
    expected: expected.reduce((sum, count) => sum + count, 0),
    over: Math.max(0, ...offered.buckets.map(({ admitted }) => admitted - perBucket)),
    missing: Math.max(0, ...offered.buckets.map(({ admitted }, i) => expected[i]! - admitted)),
    maxMissing: maxMissingTokens + Math.ceil((limit * offered.longestMs) / 1_000),
  };
}

/** Nothing over the limit, nothing missing beyond the allowance, nothing failed. */
export const isExact = ({ over, missing, maxMissing, offered }: Exactness): boolean =>
  over === 0 && missing <= maxMissing && offered.failed === 0;

/** A model of the token bucket, full at the start. */
function expectedOf({ sentAtMs }: OfferedBucket, limit: number): number {
  let tokens = limit;
  let previousMs = 0;
  let admitted = 0;
  for (const atMs of sentAtMs) {
    tokens = Math.min(limit, tokens + ((atMs - previousMs) * limit) / 1_000);
    previousMs = atMs;
    if (tokens < 1) continue;
    tokens--;
    admitted++;
  }
  return admitted;
}

/** Buckets take turns. Each scope has addresses of its own, so that no bucket is used by two of them. */
function requestsOf({ scope, buckets, addressesPerBucket }: ScopeTraffic): OfferedRequest[] {
  const network = 1 + allScopes.indexOf(scope);
  return Array.from({ length: buckets * addressesPerBucket }, (_, i) => {
    const bucket = i % buckets;
    const publisher = scope === 'global' ? i % publishers : bucket;
    return toRequest(i, `10.${network}.${Math.floor(i / 250)}.${i % 250}`, publisherOf(scope, publisher), bucket);
  });
}

/** The publishers of a scope are its own, too. */
const publisherOf = (scope: Scope, publisher: number): number => allScopes.indexOf(scope) * publishers + publisher;
