/** Remembers refusals for as long as they are certain, so that an abusive client reaches neither buckets nor parser. */
import { bucketKeys } from './bucket-keys.ts';
import type { RateLimitKeys, RateLimitResult } from './rate-limiter.ts';

interface Refusal {
  verdict: RateLimitResult;
  untilMs: number;
}

const mostRemembered = 10_000;

export class OverLimitCache {
  readonly #nowMs: () => number;
  readonly #refusals = new Map<string, Refusal>();

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** `untilMs` must not be later than the moment at which the bucket has a token again. */
  remember(claim: RateLimitKeys, verdict: RateLimitResult, untilMs: number): void {
    if (this.#refusals.size >= mostRemembered) this.#makeRoom();
    this.#refusals.set(bucketKeys(claim)[verdict.scope]!, { verdict, untilMs });
  }

  clear(): void {
    this.#refusals.clear();
  }

  cachedRejection(claim: RateLimitKeys): RateLimitResult | undefined {
    if (this.#refusals.size === 0) return undefined;
    const { ip, publisher, global } = bucketKeys(claim);
    return (
      this.#certain(ip) ?? (publisher === undefined ? undefined : this.#certain(publisher)) ?? this.#certain(global)
    );
  }

  #certain(key: string): RateLimitResult | undefined {
    const refusal = this.#refusals.get(key);
    if (refusal === undefined) return undefined;
    if (this.#nowMs() < refusal.untilMs) return refusal.verdict;
    this.#refusals.delete(key);
    return undefined;
  }

  #makeRoom(): void {
    const now = this.#nowMs();
    for (const [key, { untilMs }] of this.#refusals) if (untilMs <= now) this.#refusals.delete(key);
    if (this.#refusals.size >= mostRemembered) this.#refusals.clear(); // forgetting is always safe
  }
}
