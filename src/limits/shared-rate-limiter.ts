/** The limiter of a worker: buckets shared with all others, and its own share of each limit while those are out of reach. */
import { GcraEngine } from './gcra-engine.ts';
import type { Buckets } from './buckets.ts';
import { Batcher } from './batcher.ts';
import { type Decision, isRefusal, refusedForMicros, toVerdict } from './decision.ts';
import { Failover } from './failover.ts';
import type { RateLimitKeys, RateLimiter, Limits, RateLimitResult } from './rate-limiter.ts';
import { type ScopeParams, scopeParams } from './gcra-params.ts';
import { OverLimitCache } from './over-limit-cache.ts';

/** Where buckets are kept; `degraded` while each worker keeps to its share. */
export type LimitMode = 'redis' | 'embedded' | 'degraded';

export interface LimitClocks {
  /** Monotonic, for lengths of time. */
  nowMs: () => number;
  /** Of the epoch, for the buckets kept in this process. */
  nowMicros: () => number;
}

export interface SharedRateLimiterParts {
  buckets: Buckets;
  /** The mode in which the shared buckets are the ones in force. */
  mode: 'redis' | 'embedded';
  limits: Limits;
  /** Workers of all machines, which share the limits while the buckets are out of reach. */
  workers: number;
  clocks: LimitClocks;
  /** Told of each change of mode, with its cause; never once a request. */
  onMode: (mode: LimitMode, cause?: unknown) => void;
  /** Told how long each call to the shared buckets took, whatever came of it. */
  onCall: (durationMs: number) => void;
}

export class SharedRateLimiter implements RateLimiter {
  readonly #limits: Limits;
  readonly #paces: ScopeParams;
  readonly #clocks: LimitClocks;
  readonly #memory: OverLimitCache;
  readonly #coalescer: Batcher;
  readonly #failover: Failover;
  readonly #share: GcraEngine;
  readonly #sweeper: NodeJS.Timeout;

  constructor({ buckets, mode, limits, workers, clocks, onMode, onCall }: SharedRateLimiterParts) {
    this.#limits = limits;
    this.#paces = scopeParams(limits);
    this.#clocks = clocks;
    this.#memory = new OverLimitCache(clocks.nowMs);
    this.#share = new GcraEngine(perWorkerLimits(limits, workers));
    this.#failover = new Failover({
      probe: () => buckets.probe(),
      onChange: (degraded, cause) => {
        this.#memory.clear(); // what one place refused the other may admit
        onMode(degraded ? 'degraded' : mode, cause);
      },
    });
    this.#coalescer = new Batcher({
      buckets,
      nowMs: clocks.nowMs,
      onDecision: ({ claim, tell }, decision, nowMicros, sentAtMs) =>
        tell(this.#conclude(claim, decision, nowMicros, sentAtMs, this.#paces)),
      onFailure: (error) => this.#failover.trip(error),
      onUndecided: ({ claim, tell }) => tell(this.#decideByShare(claim)),
      onCall,
    });
    this.#sweeper = setInterval(() => this.#share.sweep(clocks.nowMicros()), 1_000).unref();
  }

  decide(claim: RateLimitKeys, tell: (verdict: RateLimitResult) => void): void {
    const known = this.#memory.cachedRejection(claim);
    if (known) tell(known);
    else if (this.#failover.degraded) tell(this.#decideByShare(claim));
    else this.#coalescer.add({ claim, tell });
  }

  cachedRejection(claim: RateLimitKeys): RateLimitResult | undefined {
    return this.#memory.cachedRejection(claim);
  }

  /** How many workers there are now, on all machines. */
  setWorkers(workers: number): void {
    this.#share.setLimits(perWorkerLimits(this.#limits, workers));
    if (this.#failover.degraded) this.#memory.clear();
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#failover.close();
  }

  #decideByShare(claim: RateLimitKeys): RateLimitResult {
    const now = this.#clocks.nowMicros();
    return this.#conclude(claim, this.#share.decide(claim, now), now, this.#clocks.nowMs(), this.#share.paces);
  }

  /** Remembers a refusal from when the question was sent, not answered: no later than the bucket has a token again. */
  #conclude(
    claim: RateLimitKeys,
    decision: Decision,
    nowMicros: number,
    sentAtMs: number,
    paces: ScopeParams,
  ): RateLimitResult {
    const verdict = toVerdict(decision, nowMicros, paces);
    if (isRefusal(decision)) {
      this.#memory.remember(claim, verdict, sentAtMs + refusedForMicros(decision, paces) / 1000);
    }
    return verdict;
  }
}

/** An equal part of each limit, rounded down so that the parts never add up to more; at least one token. */
export function perWorkerLimits({ ip, publisher, global }: Limits, workers: number): Limits {
  const share = (limit: number) => Math.max(1, Math.floor(limit / workers));
  return { ip: share(ip), publisher: share(publisher), global: share(global) };
}
