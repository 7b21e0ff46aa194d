/** The limiter of a worker: buckets shared with all others, and its own share of each limit while those are out of reach. */
import { BucketEngine } from './bucket-engine.ts';
import type { Buckets } from './buckets.ts';
import { Coalescer } from './coalescer.ts';
import { type Decision, isRefusal, refusedForMicros, toVerdict } from './decision.ts';
import { Failover } from './failover.ts';
import type { Claim, Limiter, Limits, Verdict } from './limiter.ts';
import { type Paces, pacesOf } from './pace.ts';
import { RefusalMemory } from './refusal-memory.ts';

/** Where buckets are kept; `degraded` while each worker keeps to its share. */
export type LimitMode = 'redis' | 'embedded' | 'degraded';

export interface LimitClocks {
  /** Monotonic, for lengths of time. */
  nowMs: () => number;
  /** Of the epoch, for the buckets kept in this process. */
  nowMicros: () => number;
}

export interface SharedLimiterParts {
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

export class SharedLimiter implements Limiter {
  readonly #limits: Limits;
  readonly #paces: Paces;
  readonly #clocks: LimitClocks;
  readonly #memory: RefusalMemory;
  readonly #coalescer: Coalescer;
  readonly #failover: Failover;
  readonly #share: BucketEngine;
  readonly #sweeper: NodeJS.Timeout;

  constructor({ buckets, mode, limits, workers, clocks, onMode, onCall }: SharedLimiterParts) {
    this.#limits = limits;
    this.#paces = pacesOf(limits);
    this.#clocks = clocks;
    this.#memory = new RefusalMemory(clocks.nowMs);
    this.#share = new BucketEngine(shareOf(limits, workers));
    this.#failover = new Failover({
      probe: () => buckets.probe(),
      onChange: (degraded, cause) => {
        this.#memory.clear(); // what one place refused the other may admit
        onMode(degraded ? 'degraded' : mode, cause);
      },
    });
    this.#coalescer = new Coalescer({
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

  decide(claim: Claim, tell: (verdict: Verdict) => void): void {
    const known = this.#memory.recall(claim);
    if (known) tell(known);
    else if (this.#failover.degraded) tell(this.#decideByShare(claim));
    else this.#coalescer.add({ claim, tell });
  }

  recall(claim: Claim): Verdict | undefined {
    return this.#memory.recall(claim);
  }

  /** How many workers there are now, on all machines. */
  setWorkers(workers: number): void {
    this.#share.setLimits(shareOf(this.#limits, workers));
    if (this.#failover.degraded) this.#memory.clear();
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#failover.close();
  }

  #decideByShare(claim: Claim): Verdict {
    const now = this.#clocks.nowMicros();
    return this.#conclude(claim, this.#share.decide(claim, now), now, this.#clocks.nowMs(), this.#share.paces);
  }

  /** Remembers a refusal from when the question was sent, not answered: no later than the bucket has a token again. */
  #conclude(claim: Claim, decision: Decision, nowMicros: number, sentAtMs: number, paces: Paces): Verdict {
    const verdict = toVerdict(decision, nowMicros, paces);
    if (isRefusal(decision)) {
      this.#memory.remember(claim, verdict, sentAtMs + refusedForMicros(decision, paces) / 1000);
    }
    return verdict;
  }
}

/** An equal part of each limit, rounded down so that the parts never add up to more; at least one token. */
export function shareOf({ ip, publisher, global }: Limits, workers: number): Limits {
  const share = (limit: number) => Math.max(1, Math.floor(limit / workers));
  return { ip: share(ip), publisher: share(publisher), global: share(global) };
}
