/** Caches rejections for as long as they are certain, so that a client over its limit costs no call and no body parsing. */
import { LRUCache } from 'lru-cache';
import { bucketKeys } from './buckets.ts';
import type { RateLimitKeys, RateLimitResult } from './rate-limiter.ts';

interface Rejection {
  result: RateLimitResult;
  untilMs: number;
}

const maxEntries = 10_000;

export class OverLimitCache {
  readonly #nowMs: () => number;
  /** Expiry is checked here and not by lru-cache's `ttl`, which is a millisecond late: the client would lose its token. */
  readonly #rejections = new LRUCache<string, Rejection>({ max: maxEntries });

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** `untilMs` must not be later than the moment at which the bucket has a token again. */
  add(keys: RateLimitKeys, result: RateLimitResult, untilMs: number): void {
    this.#rejections.set(bucketKeys(keys)[result.scope]!, { result, untilMs });
  }

  clear(): void {
    this.#rejections.clear();
  }

  get(keys: RateLimitKeys): RateLimitResult | undefined {
    if (this.#rejections.size === 0) return undefined;
    const { ip, publisher, global } = bucketKeys(keys);
    return (
      this.#unexpired(ip) ??
      (publisher === undefined ? undefined : this.#unexpired(publisher)) ??
      this.#unexpired(global)
    );
  }

  #unexpired(key: string): RateLimitResult | undefined {
    const rejection = this.#rejections.get(key);
    if (rejection === undefined) return undefined;
    if (this.#nowMs() < rejection.untilMs) return rejection.result;
    this.#rejections.delete(key);
    return undefined;
  }
}
