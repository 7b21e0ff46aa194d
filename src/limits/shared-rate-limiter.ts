/** The rate limiter of a worker: shared buckets, and this worker's share of each limit while they are unavailable. */
import { Batcher } from './batcher.ts';
import { type Buckets, BucketsUnavailable, type Decision, maxBatchSize } from './buckets.ts';
import type { LimitClocks } from './clocks.ts';
import { Failover } from './failover.ts';
import { GcraEngine, nextTokenInMicros, type ScopeParams, scopeParams, toResult } from './gcra.ts';
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

export class SharedRateLimiter implements RateLimiter {
  readonly #parts: SharedRateLimiterParts;
  readonly #params: ScopeParams;
  readonly #overLimitCache: OverLimitCache;
  readonly #share: GcraEngine;
  readonly #failover: Failover;
  readonly #batcher: Batcher<RateLimitKeys, RateLimitResult>;
  readonly #sweepTimer: NodeJS.Timeout;

  constructor(parts: SharedRateLimiterParts) {
    const { buckets, mode, limits, workers, clocks, onMode } = parts;
    this.#parts = parts;
    this.#params = scopeParams(limits);
    this.#overLimitCache = new OverLimitCache(clocks.nowMs);
    this.#share = new GcraEngine(perWorkerLimits(limits, workers));
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

  decide(keys: RateLimitKeys): Promise<RateLimitResult> {
    const cached = this.#overLimitCache.get(keys);
    return cached ? Promise.resolve(cached) : this.#batcher.add(keys);
  }

  cachedRejection(keys: RateLimitKeys): RateLimitResult | undefined {
    return this.#overLimitCache.get(keys);
  }

  /** Sets the number of workers on all machines. */
  setWorkers(workers: number): void {
    this.#share.setLimits(perWorkerLimits(this.#parts.limits, workers));
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

  async #decideBatch(batch: readonly RateLimitKeys[]): Promise<RateLimitResult[]> {
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

  async #decideByBuckets(batch: readonly RateLimitKeys[]): Promise<RateLimitResult[]> {
    const { buckets, clocks, onCall } = this.#parts;
    const sentAtMs = clocks.nowMs();
    try {
      const { nowMicros, decisions } = await buckets.decideAll(batch);
      if (decisions.length !== batch.length) {
        throw new BucketsUnavailable(`${decisions.length} decisions for ${batch.length} requests`);
      }
      return batch.map((keys, index) => this.#toResult(keys, decisions[index]!, this.#params, nowMicros, sentAtMs));
    } finally {
      onCall(clocks.nowMs() - sentAtMs);
    }
  }

  #decideByShare(batch: readonly RateLimitKeys[]): RateLimitResult[] {
    const sentAtMs = this.#parts.clocks.nowMs();
    const nowMicros = this.#parts.clocks.nowMicros();
    const { params } = this.#share;
    return batch.map((keys) => this.#toResult(keys, this.#share.decide(keys, nowMicros), params, nowMicros, sentAtMs));
  }

  /** `nowMicros` is the clock of the buckets, `sentAtMs` that of this process when the batch was sent. */
  #toResult(
    keys: RateLimitKeys,
    decision: Decision,
    params: ScopeParams,
    nowMicros: number,
    sentAtMs: number,
  ): RateLimitResult {
    const result = toResult(decision, nowMicros, params);
    if (!result.admitted) {
      // Counted from when the batch was sent, so that the entry expires no later than the bucket has a token.
      this.#overLimitCache.add(keys, result, sentAtMs + nextTokenInMicros(decision, params) / 1000);
    }
    return result;
  }
}

/** An equal part of each limit, rounded down so that the parts never exceed the limit; at least one token. */
export function perWorkerLimits({ ip, publisher, global }: Limits, workers: number): Limits {
  const share = (limit: number) => Math.max(1, Math.floor(limit / workers));
  return { ip: share(ip), publisher: share(publisher), global: share(global) };
}
