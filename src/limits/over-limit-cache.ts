/** Caches rejections for as long as they are certain, so that a client over its limit costs no call and no body parsing. */
import { LRUCache } from 'lru-cache';
import type { BucketRef } from './bucket-refs.ts';
import type { RateLimitResult } from './rate-limiter.ts';

interface Rejection {
  result: RateLimitResult;
  untilMs: number;
}

const maxEntries = 10_000;

export class OverLimitCache {
  readonly #nowMs: () => number;
  /** By the name of the bucket. Expiry is checked here and not by lru-cache's `ttl`, which is a millisecond late: the client would lose its token. */
  readonly #rejections = new LRUCache<string, Rejection>({ max: maxEntries });

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get isEmpty(): boolean {
    return this.#rejections.size === 0;
  }

  /** `untilMs` must not be later than the moment at which the bucket has a token again. */
  add({ name }: BucketRef, result: RateLimitResult, untilMs: number): void {
    this.#rejections.set(name, { result, untilMs });
  }

  clear(): void {
    this.#rejections.clear();
  }

  /** The first of the buckets that is known to be empty. */
  get(refs: readonly BucketRef[]): RateLimitResult | undefined {
    if (this.isEmpty) return undefined;
    for (const { name } of refs) {
      const result = this.#unexpired(name);
      if (result) return result;
    }
    return undefined;
  }

  #unexpired(name: string): RateLimitResult | undefined {
    const rejection = this.#rejections.get(name);
    if (rejection === undefined) return undefined;
    if (this.#nowMs() < rejection.untilMs) return rejection.result;
    this.#rejections.delete(name);
    return undefined;
  }
}
