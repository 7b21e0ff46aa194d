/** Token buckets in this process: those of the primary, a worker's share in degraded mode, and the model of the script. */
import { type GcraParams, gcraParams, leasesAreOver, OpenBucket, type StoredBucket } from './bucket-state.ts';
import { type BucketRef, type Kind, kinds, scopeOf } from './bucket-refs.ts';
import {
  type BatchDecision,
  type BucketBatch,
  type Decision,
  decodeDecision,
  encodeDecision,
  leaseFields,
  settlementFields,
} from './buckets.ts';
import type { RateLimitResult } from './rate-limiter.ts';

/** `refs` are the buckets of the request. */
export function toResult(decision: Decision, nowMicros: number, refs: readonly BucketRef[]): RateLimitResult {
  const { admitted, kind, remaining, fullInMicros } = decodeDecision(decision);
  const resetAtMs = (nowMicros + fullInMicros) / 1000;
  return { admitted, scope: scopeOf(kind), limit: refOf(kind, refs).limit, remaining, resetAtMs };
}

export function refOf(kind: Kind, refs: readonly BucketRef[]): BucketRef {
  return refs.find((ref) => ref.kind === kind)!;
}

/** How long a rejection stays certain: until the empty bucket has a token again. */
export function nextTokenInMicros(rejection: Decision, limit: number): number {
  const { burstMicros, emissionIntervalMicros } = gcraParams(limit);
  return decodeDecision(rejection).fullInMicros - (burstMicros - emissionIntervalMicros);
}

/** A bucket of the request being decided. */
interface Charge {
  kind: Kind;
  bucket: OpenBucket;
}

export class GcraEngine {
  readonly #stored = new Map<string, StoredBucket>();
  /** Limits are few: those of the configuration and the parts of them. */
  readonly #params = new Map<number, GcraParams>();

  /** The number of buckets in memory: all that are not full, and full ones that were not swept yet. */
  get size(): number {
    return this.#stored.size;
  }

  /** All or nothing: a request that one bucket rejects is charged to none. */
  decide(refs: readonly BucketRef[], nowMicros: number): Decision {
    const buckets = refs.map(({ name, limit }) => this.#open(name, limit, nowMicros));
    const decision = decideCharges(refs.map(({ kind }, at) => ({ kind, bucket: buckets[at]! })));
    for (const [at, { name }] of refs.entries()) this.#store(name, buckets[at]!);
    return decision;
  }

  decideAll(batch: BucketBatch, nowMicros: number): BatchDecision {
    const { names, limits, requests, leases, settlements = [], pendingRequests = 0 } = batch;
    const buckets = names.map((name, at) => this.#open(name, limits[at]!, nowMicros));
    const bucketAt = (at: number) => buckets[leases[at]! - 1]!;
    for (let at = 0; at < leases.length; at += leaseFields) {
      bucketAt(at).closeLease(leases[at + 1]!, leases[at + 2]!, leases[at + 3]!);
    }
    for (let at = 0; at < settlements.length; at += settlementFields) {
      const [position, epoch, tokens, refunded] = settlements.slice(at, at + settlementFields);
      buckets[position! - 1]!.settlePending(epoch!, tokens!, refunded!);
    }
    const decisions: Decision[] = [];
    for (let at = 0; at < requests.length; at += kinds.length) {
      const charges = chargesOf(requests.slice(at, at + kinds.length), buckets);
      decisions.push(decideCharges(charges, decisions.length < pendingRequests));
    }
    const grants: number[] = [];
    for (let at = 0; at < leases.length; at += leaseFields) {
      grants.push(bucketAt(at).grantLease(leases[at + 4]!), bucketAt(at).fullInMicros);
    }
    for (const [at, name] of names.entries()) this.#store(name, buckets[at]!);
    return { nowMicros, decisions, grants };
  }

  /** Removes full buckets: they are equal to buckets that do not exist. */
  sweep(nowMicros: number): void {
    for (const [name, stored] of this.#stored) {
      if (stored.tat <= nowMicros && leasesAreOver(stored, nowMicros)) this.#stored.delete(name);
    }
  }

  #open(name: string, limit: number, nowMicros: number): OpenBucket {
    let params = this.#params.get(limit);
    if (!params) this.#params.set(limit, (params = gcraParams(limit)));
    return new OpenBucket(this.#stored.get(name), params, nowMicros);
  }

  #store(name: string, bucket: OpenBucket): void {
    if (bucket.isChanged) this.#stored.set(name, bucket.toStored());
  }
}

function chargesOf(positions: readonly number[], buckets: readonly OpenBucket[]): Charge[] {
  const charges: Charge[] = [];
  for (const [at, position] of positions.entries()) {
    if (position > 0) charges.push({ kind: kinds[at]!, bucket: buckets[position - 1]! });
  }
  return charges;
}

function decideCharges(charges: readonly Charge[], isPending = false): Decision {
  const empty = charges.filter(({ bucket }) => bucket.remaining <= 0);
  if (empty.length === 0) {
    for (const { bucket } of charges) {
      if (isPending) bucket.takePending();
      else bucket.take(1);
    }
    return reportTightest(charges);
  }
  // Only an empty bucket without leases rejects: what workers hold may come back.
  const rejecting = empty.find(({ bucket }) => !bucket.hasLeases);
  if (rejecting) return encodeDecision(0, rejecting.kind, false, rejecting.bucket.fullInMicros);
  return -Math.max(...empty.map(({ bucket }) => bucket.leasesEndInMicros));
}

/** Reports the bucket with the fewest tokens left. */
function reportTightest(charges: readonly Charge[]): Decision {
  let tightest = charges[0]!;
  for (const charge of charges) if (charge.bucket.remaining < tightest.bucket.remaining) tightest = charge;
  return encodeDecision(tightest.bucket.remaining, tightest.kind, true, tightest.bucket.fullInMicros);
}
