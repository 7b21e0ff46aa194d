/** The rate limiter of a worker with buckets in this process that fail on demand. The test sets the clock. */
import { kinds } from '../../src/limits/bucket-refs.ts';
import { type BatchDecision, type BucketBatch, type Buckets, BucketsUnavailable } from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';
import { type LimitMode, SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';

export const limits: Limits = { ip: 4, publisher: 100, global: 1_000 };
export const keysOf = (ip: string): RateLimitKeys => ({ ip, publisher: undefined });
export const unavailable = () => new BucketsUnavailable('no connection');

/** Buckets in this process. A test can delay their calls, make them fail and set their clock. */
export class FakeBuckets implements Buckets {
  readonly timeoutMs = 400;
  readonly engine = new GcraEngine();
  /** The names of the address buckets that each call charged; '' for a request that charged none. */
  readonly batches: (readonly string[])[] = [];
  nowMs = 1_794_700_000_000;
  /** The error of all calls and probes. */
  failure: Error | undefined;
  /** The error of the next call. */
  nextFailure: Error | undefined;
  /** Whether all requests stay undecided, as if other workers had leases of their buckets. */
  undecided = false;
  onDecided: () => void = () => {};
  /** The time that each call had. */
  readonly timeoutsMs: (number | undefined)[] = [];
  /** The duration of a probe. */
  probeMs = 0;
  #held: (() => void)[] | undefined;

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const resume of held) resume();
  }

  async probe(): Promise<void> {
    this.nowMs += this.probeMs;
    if (this.failure) throw this.failure;
  }

  async decideAll(batch: BucketBatch, timeoutMs?: number): Promise<BatchDecision> {
    this.timeoutsMs.push(timeoutMs);
    this.batches.push(addressesIn(batch));
    if (this.#held) await new Promise<void>((resolve) => this.#held!.push(resolve));
    const failure = this.nextFailure ?? this.failure;
    this.nextFailure = undefined;
    if (failure) throw failure;
    const decided = this.engine.decideAll(batch, this.nowMs * 1000);
    this.onDecided();
    return this.undecided ? { ...decided, decisions: decided.decisions.map(() => -1) } : decided;
  }
}

const addressesIn = ({ names, requests }: BucketBatch): string[] =>
  requests.filter((_, at) => at % kinds.length === 0).map((position) => names[position - 1] ?? '');

export function createFakeLimiter(workers = 2, onMode: (mode: LimitMode) => void = () => {}, own = limits) {
  const buckets = new FakeBuckets();
  const modes: LimitMode[] = [];
  const durationsMs: number[] = [];
  const limiter = new SharedRateLimiter({
    buckets,
    mode: 'redis',
    limits: own,
    workers,
    clocks: { nowMs: () => buckets.nowMs, nowMicros: () => buckets.nowMs * 1000 },
    onMode: (mode) => {
      modes.push(mode);
      onMode(mode);
    },
    onCall: (durationMs) => durationsMs.push(durationMs),
  });
  return { limiter, buckets, modes, durationsMs };
}
