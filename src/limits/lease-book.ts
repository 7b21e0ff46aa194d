/** The leases that a worker holds: tokens already taken from shared buckets, spent here without a call. Pure: the clock is passed in. */
import type { BatchBuilder } from './batch-builder.ts';
import type { BucketRef } from './bucket-refs.ts';
import { epochAt, type GcraParams, gcraParams, leaseEpochMicros, maxLease } from './bucket-state.ts';
import { type BatchDecision, type Decision, encodeDecision } from './buckets.ts';

/** Between the end of a lease for its holder and its end in the bucket: time for the return to arrive. */
const returnMs = 15;
/** A lease is renewed this long before its holder may no longer spend it. */
const renewMs = 5;
/** Demand is counted in windows of this length. */
const windowMs = leaseEpochMicros / 1000;
/** Tokens wanted per request of the busier of the last two windows: a lease outlasts a window, and arrivals vary. */
const leasePerDemand = 2;
/** New buckets are not counted beyond this; without demand they have no leases. */
const maxEntries = 10_000;
/** Leases per call, so that a call stays short. */
const maxLeasesPerCall = 256;

interface Lease {
  epoch: number;
  taken: number;
  unspent: number;
  /** Clock of this process. */
  renewAtMs: number;
  endsAtMs: number;
  /** The millisecond at which the bucket is full if all leases are spent, as of the grant. */
  tatMs: number;
}

/** A bucket that was used lately. */
interface Entry {
  ref: BucketRef;
  params: GcraParams;
  window: number;
  hits: number;
  hitsBefore: number;
  lease: Lease | undefined;
}

/** Leases of which a request has taken a token. */
export type Reservation = readonly Lease[];

/** The leases of a call, in the order of its batch. */
export type LeaseCall = readonly Entry[];

export class LeaseBook {
  readonly #entries = new Map<string, Entry>();
  /** Those with a lease. */
  readonly #held = new Set<Entry>();
  #sweptWindow = 0;
  /** Clock of the buckets minus that of this process, in microseconds. */
  #clockOffsetMicros = 0;

  /** The number of leases held. */
  get size(): number {
    return this.#held.size;
  }

  /** The clock of the buckets, as of the last call. */
  bucketMicros(nowMs: number): number {
    return Math.round(nowMs * 1000 + this.#clockOffsetMicros);
  }

  /** Counts a request for each of its buckets, once, and spends a token of every bucket if all of them have a lease. */
  countAndSpend(refs: readonly BucketRef[], nowMs: number): Decision | undefined {
    const window = Math.floor(nowMs / windowMs);
    const entries: Entry[] = [];
    for (const ref of refs) {
      const entry = this.#entries.get(ref.name) ?? this.#addEntry(ref, window);
      if (!entry) continue;
      advance(entry, window);
      entry.hits++;
      if (spendableOf(entry, ref, nowMs)) entries.push(entry);
    }
    return entries.length === refs.length ? spendAll(entries, nowMs) : undefined;
  }

  /** Spends a token of every bucket, if all of them have a lease; else nothing. */
  spend(refs: readonly BucketRef[], nowMs: number): Decision | undefined {
    if (this.#held.size === 0) return undefined;
    const entries: Entry[] = [];
    for (const ref of refs) {
      const entry = this.#entries.get(ref.name);
      if (!spendableOf(entry, ref, nowMs)) return undefined;
      entries.push(entry!);
    }
    return spendAll(entries, nowMs);
  }

  #addEntry(ref: BucketRef, window: number): Entry | undefined {
    if (this.#entries.size >= maxEntries) return undefined;
    const entry: Entry = {
      ref,
      params: gcraParams(ref.limit),
      window,
      hits: 0,
      hitsBefore: 0,
      lease: undefined,
    };
    this.#entries.set(ref.name, entry);
    return entry;
  }

  /** Takes a token of each bucket that has a lease, and returns the other buckets: these must be charged by a call. */
  reserve(refs: readonly BucketRef[], nowMs: number): { reserved: Reservation; others: BucketRef[] } {
    const reserved: Lease[] = [];
    const others: BucketRef[] = [];
    for (const ref of refs) {
      const lease = spendableOf(this.#entries.get(ref.name), ref, nowMs);
      if (lease) {
        lease.unspent--;
        reserved.push(lease);
      } else {
        others.push(ref);
      }
    }
    return { reserved, others };
  }

  /** For a request that was not admitted. */
  release(reserved: Reservation): void {
    for (const lease of reserved) lease.unspent++;
  }

  /** Reports the leased bucket with the fewest tokens left, as an admission. */
  report(refs: readonly BucketRef[], nowMs: number): Decision | undefined {
    const entries: Entry[] = [];
    for (const { name } of refs) {
      const entry = this.#entries.get(name);
      if (entry?.lease) entries.push(entry);
    }
    return reportTightest(entries, nowMs);
  }

  /** When the next lease is to be renewed or returned; undefined without leases. */
  get nextDueMs(): number | undefined {
    let next: number | undefined;
    for (const { lease } of this.#held) next = Math.min(lease!.renewAtMs, next ?? Infinity);
    return next;
  }

  /**
   * Adds to a call: the leases to close, which are no longer spent from here on, and the leases to grant. A lease is closed if it is
   * due or used up. With `mayLease`, a new one is requested for buckets in demand, if theirs is closed or `requests` need one.
   */
  plan(
    builder: BatchBuilder,
    requests: readonly (readonly BucketRef[])[],
    nowMs: number,
    mayLease: boolean,
  ): LeaseCall {
    this.#sweep(nowMs);
    const call: Entry[] = [];
    for (const entry of this.#held) {
      if (call.length >= maxLeasesPerCall || !isOver(entry.lease!, nowMs)) continue;
      this.#planOne(builder, call, entry, mayLease ? demandOf(entry, nowMs) : 0);
    }
    if (!mayLease) return call;
    const planned = new Set(call);
    for (const refs of requests) {
      for (const { name } of refs) {
        const entry = this.#entries.get(name);
        if (!entry || entry.lease || planned.has(entry) || call.length >= maxLeasesPerCall) continue;
        planned.add(entry);
        this.#planOne(builder, call, entry, demandOf(entry, nowMs));
      }
    }
    return call;
  }

  #planOne(builder: BatchBuilder, call: Entry[], entry: Entry, demand: number): void {
    const { ref, lease } = entry;
    const wanted = demand * leasePerDemand;
    if (!lease && wanted === 0) return;
    builder.addLease(ref, lease?.epoch ?? 0, lease?.taken ?? 0, lease?.unspent ?? 0, Math.min(wanted, maxLease));
    entry.lease = undefined;
    this.#held.delete(entry);
    call.push(entry);
  }

  /** Forgets buckets without demand, once per window. */
  #sweep(nowMs: number): void {
    const window = Math.floor(nowMs / windowMs);
    if (window === this.#sweptWindow) return;
    this.#sweptWindow = window;
    for (const [name, entry] of this.#entries) {
      if (entry.window < window - 1 && !entry.lease) this.#entries.delete(name);
    }
  }

  /** `sentAtMs` is before the call was sent: a lease ends here no later than in its bucket. */
  install(call: LeaseCall, { nowMicros, grants, grantClocks }: BatchDecision, sentAtMs: number): void {
    this.#clockOffsetMicros = nowMicros - sentAtMs * 1000;
    for (const [at, entry] of call.entries()) {
      const taken = grants[2 * at]!;
      if (taken === 0 || this.#entries.get(entry.ref.name) !== entry) continue; // dropped during the call
      const grantedAtMicros = grantClocks?.[at] ?? nowMicros;
      const epoch = epochAt(grantedAtMicros);
      const endsAtMs = sentAtMs + ((epoch + 2) * leaseEpochMicros - grantedAtMicros) / 1000 - returnMs;
      entry.lease = {
        epoch,
        taken,
        unspent: taken,
        renewAtMs: endsAtMs - renewMs,
        endsAtMs,
        tatMs: sentAtMs + grants[2 * at + 1]! / 1000,
      };
      this.#held.add(entry);
    }
  }

  /** Drops all leases: their tokens are lost. */
  clear(): void {
    this.#entries.clear();
    this.#held.clear();
  }
}

function spendableOf(entry: Entry | undefined, ref: BucketRef, nowMs: number): Lease | undefined {
  const lease = entry?.lease;
  return lease && lease.unspent > 0 && nowMs < lease.endsAtMs && entry.ref.limit === ref.limit ? lease : undefined;
}

/** Each of `entries` has a lease with a token. */
function spendAll(entries: readonly Entry[], nowMs: number): Decision | undefined {
  for (const entry of entries) entry.lease!.unspent--;
  return reportTightest(entries, nowMs);
}

/** Each of `entries` has a lease. */
function reportTightest(entries: readonly Entry[], nowMs: number): Decision | undefined {
  let tightest: Entry | undefined;
  let least = Infinity;
  let fullInMicros = 0;
  for (const entry of entries) {
    const { burstMicros, emissionIntervalMicros } = entry.params;
    const missingMicros = fullIn(entry.lease!, entry.params, nowMs);
    const remaining = Math.floor((burstMicros - missingMicros) / emissionIntervalMicros);
    if (remaining >= least) continue;
    least = remaining;
    tightest = entry;
    fullInMicros = missingMicros;
  }
  return tightest && encodeDecision(least, tightest.ref.kind, true, fullInMicros);
}

function advance(entry: Entry, window: number): void {
  if (entry.window === window) return;
  entry.hitsBefore = entry.window === window - 1 ? entry.hits : 0;
  entry.hits = 0;
  entry.window = window;
}

/** Requests per window. None in the first window of a bucket, and none for a single request: a burst is decided exactly. */
function demandOf(entry: Entry, nowMs: number): number {
  advance(entry, Math.floor(nowMs / windowMs));
  const { hits, hitsBefore } = entry;
  return hitsBefore > 0 && hits + hitsBefore > 1 ? Math.max(hits, hitsBefore) : 0;
}

const isOver = ({ unspent, renewAtMs }: Lease, nowMs: number): boolean => unspent === 0 || renewAtMs <= nowMs;

/** Unspent tokens are still there; the token just spent is missing. */
function fullIn(lease: Lease, { emissionIntervalMicros }: GcraParams, nowMs: number): number {
  const missing = Math.round((lease.tatMs - nowMs) * 1000) - lease.unspent * emissionIntervalMicros;
  return Math.max(missing, emissionIntervalMicros);
}
