/** The rate limiter of a worker: shared buckets with leases, and this worker's share of each limit while they are unavailable. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from './batcher.ts';
import { type BucketRef, BucketResolver } from './bucket-refs.ts';
import { type Buckets, BucketsUnavailable, decodeDecision, isUndecided, maxBatchSize } from './buckets.ts';
import type { LimitClocks } from './clocks.ts';
import { Failover } from './failover.ts';
import { GcraEngine, nextTokenInMicros, refOf, toResult } from './gcra.ts';
import { type Decided, LeasedBuckets } from './leased-buckets.ts';
import { OverLimitCache } from './over-limit-cache.ts';
import type { Limits, RateLimiter, RateLimitKeys, RateLimitResult } from './rate-limiter.ts';
import { SlowCalls } from './slow-calls.ts';
import { TurnQueue } from './turn-queue.ts';

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
  /** Called in degraded mode, once per further reason. */
  onFurtherCause?: (cause: unknown) => void;
  /** Called once per call to the shared buckets, also if it fails. */
  onCall: (durationMs: number) => void;
}

const sweepIntervalMs = 1_000;
/** The delay before an undecided request, which waits for tokens of other workers, is sent to the buckets again. */
const undecidedRetryMs = 10;
/** The least time for a call, whatever its requests have waited before. */
const minCallMs = 20;

/** A request that waits for its decision: its buckets have the limits of all workers together. */
interface QueuedRequest {
  keys: RateLimitKeys;
  refs: readonly BucketRef[];
  sinceMs: number;
}

/** A request of this event-loop turn. */
interface Waiting extends QueuedRequest {
  resolve: (result: RateLimitResult) => void;
  reject: (error: unknown) => void;
}

/** Stands for the leases that are due in a call without requests. */
const dueLeases: QueuedRequest = { keys: { ip: '', publisher: undefined }, refs: [], sinceMs: Infinity };

const slowStore = new BucketsUnavailable('every call of the last second was slow');

/** A number: the request is not decided and is sent again after that many milliseconds. */
type BatchOutcome = RateLimitResult | number;

export class SharedRateLimiter implements RateLimiter {
  readonly #parts: SharedRateLimiterParts;
  readonly #overLimitCache: OverLimitCache;
  readonly #share = new GcraEngine();
  readonly #failover: Failover;
  readonly #leased: LeasedBuckets;
  readonly #slowCalls = new SlowCalls();
  readonly #turnQueue = new TurnQueue<Waiting>((waiting) => this.#decideQueued(waiting));
  readonly #calls: Batcher<QueuedRequest, BatchOutcome>;
  readonly #sweepTimer: NodeJS.Timeout;
  #leaseTimer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #resolver: BucketResolver;
  #shareResolver: BucketResolver;

  constructor(parts: SharedRateLimiterParts) {
    const { buckets, mode, limits, workers, clocks, onMode } = parts;
    this.#parts = parts;
    this.#resolver = new BucketResolver(limits);
    this.#shareResolver = new BucketResolver(limits, workers);
    this.#overLimitCache = new OverLimitCache(clocks.nowMs);
    this.#failover = new Failover({
      nowMs: clocks.nowMs,
      probe: () => buckets.probe(),
      onChange: (degraded, cause) => {
        this.#leased.clear();
        this.#slowCalls.clear();
        this.#overLimitCache.clear(); // the other buckets may admit what these rejected
        onMode(degraded ? 'degraded' : mode, cause);
      },
      onFurtherCause: (cause) => parts.onFurtherCause?.(cause),
    });
    this.#leased = new LeasedBuckets({
      buckets,
      clocks,
      onCall: (durationMs) => {
        this.#slowCalls.add(durationMs, clocks.nowMs());
        parts.onCall(durationMs);
      },
    });
    this.#calls = new Batcher(
      () => (this.#failover.degraded ? Infinity : maxBatchSize), // a share decides any number at once
      (batch) => this.#decideBatch(batch),
    );
    this.#sweepTimer = setInterval(() => this.#share.sweep(clocks.nowMicros()), sweepIntervalMs).unref();
  }

  decide(keys: RateLimitKeys): Promise<RateLimitResult> {
    return new Promise((resolve, reject) => {
      const refs = this.#resolver.resolve(keys);
      const cached = this.#overLimitCache.get(refs);
      if (cached) resolve(cached);
      else this.#turnQueue.add({ keys, refs, sinceMs: this.#parts.clocks.nowMs(), resolve, reject });
    });
  }

  /** Called before the body is read: the publisher is not known yet, so the request may turn out to use the reserved share. */
  cachedRejection(keys: RateLimitKeys): RateLimitResult | undefined {
    if (this.#overLimitCache.isEmpty) return undefined;
    return this.#overLimitCache.get(this.#resolver.resolve(keys).filter(({ kind }) => kind !== 'unreserved'));
  }

  /** Sets the number by which the limits are divided in degraded mode; not always an integer. */
  setLimitDivisor(divisor: number): void {
    this.#shareResolver = new BucketResolver(this.#parts.limits, divisor);
    if (this.#failover.degraded) this.#overLimitCache.clear();
  }

  /** Finds out now whether the shared buckets are available, instead of at the next request or periodic probe. */
  probe(): Promise<void> {
    return this.#failover.probe();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#sweepTimer);
    clearTimeout(this.#leaseTimer);
    this.#failover.close();
    this.#parts.buckets.close?.();
  }

  #decideQueued(waiting: readonly Waiting[]): void {
    for (const one of waiting) {
      try {
        const result = this.#decideHere(one);
        if (result) one.resolve(result);
        else this.#decideByCall(one).then(one.resolve, one.reject);
      } catch (error) {
        one.reject(error);
      }
    }
  }

  /** Without a call, if that is possible. */
  #decideHere(request: QueuedRequest): RateLimitResult | undefined {
    if (this.#failover.degraded) return this.#decideByShare(request);
    const decided = this.#leased.decideByLeases(request.refs);
    return decided && this.#toResult(request.refs, decided);
  }

  /** An empty bucket grants no leases, and those that are out end within 200 ms: it seldom takes more than a few calls. */
  async #decideByCall(request: QueuedRequest): Promise<RateLimitResult> {
    const { buckets, clocks } = this.#parts;
    for (;;) {
      if (clocks.nowMs() - request.sinceMs >= buckets.timeoutMs) return this.#decideByShare(request);
      const outcome = await this.#calls.add(request);
      if (typeof outcome !== 'number') return outcome;
      await sleep(outcome);
    }
  }

  async #decideBatch(batch: readonly QueuedRequest[]): Promise<BatchOutcome[]> {
    if (!this.#failover.degraded) {
      try {
        const outcomes = await this.#decideByBuckets(batch);
        if (this.#slowCalls.isSustained(this.#parts.clocks.nowMs())) this.#failover.tripForSlowness(slowStore);
        return outcomes;
      } catch (error) {
        if (!(error instanceof BucketsUnavailable)) throw error;
        this.#leased.clear();
        this.#failover.trip(error);
      }
    }
    return batch.map((request) => (request === dueLeases ? 0 : this.#decideByShare(request)));
  }

  async #decideByBuckets(batch: readonly QueuedRequest[]): Promise<BatchOutcome[]> {
    const requests = batch.filter((request) => request !== dueLeases);
    const decided = await this.#leased.decideAll(
      requests.map(({ refs }) => refs),
      this.#parts.limits.global,
      this.#remainingMs(requests),
    );
    this.#scheduleLeases();
    let next = 0;
    return batch.map((request) => (request === dueLeases ? 0 : this.#toOutcome(request.refs, decided[next++]!)));
  }

  /** No request waits longer than a call may take, however long it has waited for the one before. */
  #remainingMs(requests: readonly QueuedRequest[]): number {
    const { buckets, clocks } = this.#parts;
    const oldestMs = requests.reduce((oldest, { sinceMs }) => Math.min(oldest, sinceMs), clocks.nowMs());
    return Math.max(minCallMs, Math.ceil(buckets.timeoutMs - (clocks.nowMs() - oldestMs)));
  }

  /** Leases are renewed and returned in time, with or without requests. */
  #scheduleLeases(): void {
    if (this.#leaseTimer || this.#closed) return;
    const dueMs = this.#leased.nextDueMs;
    if (dueMs === undefined) return;
    const expire = () => {
      this.#leaseTimer = undefined;
      const nextMs = this.#leased.nextDueMs;
      if (nextMs === undefined) return;
      if (nextMs > this.#parts.clocks.nowMs()) this.#scheduleLeases();
      else this.#calls.add(dueLeases).catch(() => {}); // a defect is reported by the requests that meet it
    };
    this.#leaseTimer = setTimeout(expire, Math.max(1, dueMs - this.#parts.clocks.nowMs())).unref();
  }

  #decideByShare({ keys }: QueuedRequest): RateLimitResult {
    const { clocks } = this.#parts;
    const sentAtMs = clocks.nowMs();
    const nowMicros = clocks.nowMicros();
    const refs = this.#shareResolver.resolve(keys);
    const decision = this.#share.decide(refs, nowMicros);
    // Beside available shared buckets, a rejection by the share is one of this request only.
    if (!this.#failover.degraded) return toResult(decision, nowMicros, refs);
    return this.#toResult(refs, { decision, nowMicros, sentAtMs });
  }

  #toOutcome(refs: readonly BucketRef[], decided: Decided): BatchOutcome {
    if (!isUndecided(decided.decision)) return this.#toResult(refs, decided);
    return Math.min(undecidedRetryMs, Math.ceil(-decided.decision / 1000));
  }

  #toResult(refs: readonly BucketRef[], { decision, nowMicros, sentAtMs }: Decided): RateLimitResult {
    const result = toResult(decision, nowMicros, refs);
    if (!result.admitted) {
      const ref = refOf(decodeDecision(decision).kind, refs);
      // Counted from before the decision, so that the entry expires no later than the bucket has a token.
      this.#overLimitCache.add(ref, result, sentAtMs + nextTokenInMicros(decision, ref.limit) / 1000);
    }
    return result;
  }
}
