/** The rate limiter of a worker: shared buckets, and this worker's share of each limit while they are unavailable. */
import { BatchBuilder } from './batch-builder.ts';
import { Batcher } from './batcher.ts';
import { type BucketRef, BucketResolver } from './bucket-refs.ts';
import { type Buckets, BucketsUnavailable, type Decision, decodeDecision, maxBatchSize } from './buckets.ts';
import type { LimitClocks } from './clocks.ts';
import { Failover } from './failover.ts';
import { GcraEngine, nextTokenInMicros, refOf, toResult } from './gcra.ts';
import { OverLimitCache } from './over-limit-cache.ts';
import type { Limits, RateLimiter, RateLimitKeys, RateLimitResult } from './rate-limiter.ts';

/** Where the buckets are; `degraded` while each worker enforces its share. */
export type LimitMode = 'redis' | 'embedded' | 'degraded';

export interface SharedRateLimiterParts {
  buckets: Buckets;
  /** The mode while the shared buckets are available. */
  mode: 'redis' | 'embedded';
  limits: Limits;
  /** The workers on all machines, among which the limits are divided in degraded mode. */
  workers: number;
  clocks: LimitClocks;
  /** Called once per change of mode. `cause` is the failure; undefined on recovery. */
  onMode: (mode: LimitMode, cause?: unknown) => void;
  /** Called once per call to the shared buckets, also if it fails. */
  onCall: (durationMs: number) => void;
}

const sweepIntervalMs = 1_000;

/** A request, and its buckets by the limits of all workers. */
interface Charge {
  keys: RateLimitKeys;
  refs: readonly BucketRef[];
}

export class SharedRateLimiter implements RateLimiter {
  readonly #parts: SharedRateLimiterParts;
  readonly #overLimitCache: OverLimitCache;
  readonly #share = new GcraEngine();
  readonly #failover: Failover;
  readonly #batcher: Batcher<Charge, RateLimitResult>;
  readonly #sweepTimer: NodeJS.Timeout;
  #limits: Limits;
  #workers: number;
  #resolver: BucketResolver;
  #shareResolver: BucketResolver;

  constructor(parts: SharedRateLimiterParts) {
    const { buckets, mode, limits, workers, clocks, onMode } = parts;
    this.#parts = parts;
    this.#limits = limits;
    this.#workers = workers;
    this.#resolver = new BucketResolver(limits);
    this.#shareResolver = new BucketResolver(limits, workers);
    this.#overLimitCache = new OverLimitCache(clocks.nowMs);
    this.#failover = new Failover({
      probe: () => buckets.probe(),
      onChange: (degraded, cause) => {
        this.#overLimitCache.clear(); // the other buckets may admit what these rejected
        onMode(degraded ? 'degraded' : mode, cause);
      },
    });
    this.#batcher = new Batcher(
      () => (this.#failover.degraded ? Infinity : maxBatchSize), // a share decides any number at once
      (batch) => this.#decideBatch(batch),
    );
    this.#sweepTimer = setInterval(() => this.#share.sweep(clocks.nowMicros()), sweepIntervalMs).unref();
  }

  async decide(keys: RateLimitKeys): Promise<RateLimitResult> {
    const refs = this.#resolver.resolve(keys);
    return this.#overLimitCache.get(refs) ?? this.#batcher.add({ keys, refs });
  }

  /** Called before the body is read: the publisher is not known yet, so the request may turn out to be no stranger's. */
  cachedRejection(keys: RateLimitKeys): RateLimitResult | undefined {
    if (this.#overLimitCache.isEmpty) return undefined;
    return this.#overLimitCache.get(this.#resolver.resolve(keys).filter(({ kind }) => kind !== 'strangers'));
  }

  /** Sets the number of workers on all machines. */
  setWorkers(workers: number): void {
    this.#workers = workers;
    this.#setResolvers();
  }

  /** Sets the share of the global limit that only requests with `own.reserved` may use. */
  setReservedShare(reservedShare: number): void {
    this.#limits = { ...this.#limits, reservedShare };
    this.#setResolvers();
  }

  #setResolvers(): void {
    this.#resolver = new BucketResolver(this.#limits);
    this.#shareResolver = new BucketResolver(this.#limits, this.#workers);
    if (this.#failover.degraded) this.#overLimitCache.clear();
  }

  /** Finds out now whether the shared buckets are available, instead of at the next request or periodic probe. */
  probe(): Promise<void> {
    return this.#failover.probe();
  }

  close(): void {
    clearInterval(this.#sweepTimer);
    this.#failover.close();
    this.#parts.buckets.close?.();
  }

  async #decideBatch(batch: readonly Charge[]): Promise<RateLimitResult[]> {
    if (!this.#failover.degraded) {
      try {
        return await this.#decideByBuckets(batch);
      } catch (error) {
        if (!(error instanceof BucketsUnavailable)) throw error;
        this.#failover.trip(error);
      }
    }
    return this.#decideByShare(batch);
  }

  async #decideByBuckets(batch: readonly Charge[]): Promise<RateLimitResult[]> {
    const { buckets, clocks, onCall } = this.#parts;
    const builder = new BatchBuilder(this.#limits.global);
    for (const { refs } of batch) builder.addRequest(refs);
    const sentAtMs = clocks.nowMs();
    try {
      const { nowMicros, decisions } = await buckets.decideAll(builder.batch);
      if (decisions.length !== batch.length) {
        throw new BucketsUnavailable(`${decisions.length} decisions for ${batch.length} requests`);
      }
      return batch.map(({ refs }, index) => this.#toResult(refs, decisions[index]!, nowMicros, sentAtMs));
    } finally {
      onCall(clocks.nowMs() - sentAtMs);
    }
  }

  #decideByShare(batch: readonly Charge[]): RateLimitResult[] {
    const sentAtMs = this.#parts.clocks.nowMs();
    const nowMicros = this.#parts.clocks.nowMicros();
    return batch.map(({ keys }) => {
      const refs = this.#shareResolver.resolve(keys);
      return this.#toResult(refs, this.#share.decide(refs, nowMicros), nowMicros, sentAtMs);
    });
  }

  /** `nowMicros` is the clock of the buckets, `sentAtMs` that of this process when the batch was sent. */
  #toResult(refs: readonly BucketRef[], decision: Decision, nowMicros: number, sentAtMs: number): RateLimitResult {
    const result = toResult(decision, nowMicros, refs);
    if (!result.admitted) {
      const ref = refOf(decodeDecision(decision).kind, refs);
      // Counted from when the batch was sent, so that the entry expires no later than the bucket has a token.
      this.#overLimitCache.add(ref, result, sentAtMs + nextTokenInMicros(decision, ref.limit) / 1000);
    }
    return result;
  }
}
