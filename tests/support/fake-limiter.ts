/** The rate limiter of a worker with buckets in this process that fail on demand. The test sets the clock. */
import { type BatchDecision, type Buckets, BucketsUnavailable } from '../../src/limits/buckets.ts';
import { GcraEngine } from '../../src/limits/gcra.ts';
import type { Limits, RateLimitKeys } from '../../src/limits/rate-limiter.ts';
import { type LimitMode, SharedRateLimiter } from '../../src/limits/shared-rate-limiter.ts';

export const limits: Limits = { ip: 4, publisher: 100, global: 1_000 };
export const keysOf = (ip: string): RateLimitKeys => ({ ip, publisher: undefined });
export const unavailable = () => new BucketsUnavailable('no connection');

/** Buckets in this process. A test can delay their calls, make them fail and set their clock. */
export class FakeBuckets implements Buckets {
  readonly engine = new GcraEngine(limits);
  readonly batches: (readonly RateLimitKeys[])[] = [];
  nowMs = 1_794_700_000_000;
  /** The error of all calls and probes. */
  failure: Error | undefined;
  /** The error of the next call. */
  nextFailure: Error | undefined;
  onDecided: () => void = () => {};
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
    if (this.failure) throw this.failure;
  }

  async decideAll(batch: readonly RateLimitKeys[]): Promise<BatchDecision> {
    this.batches.push(batch);
    if (this.#held) await new Promise<void>((resolve) => this.#held!.push(resolve));
    const failure = this.nextFailure ?? this.failure;
    this.nextFailure = undefined;
    if (failure) throw failure;
    const nowMicros = this.nowMs * 1000;
    const decisions = batch.map((one) => this.engine.decide(one, nowMicros));
    this.onDecided();
    return { nowMicros, decisions };
  }
}

export function createFakeLimiter(workers = 2, onMode: (mode: LimitMode) => void = () => {}) {
  const buckets = new FakeBuckets();
  const modes: LimitMode[] = [];
  const durationsMs: number[] = [];
  const limiter = new SharedRateLimiter({
    buckets,
    mode: 'redis',
    limits,
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
