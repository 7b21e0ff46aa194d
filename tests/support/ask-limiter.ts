/** A limiter's verdict as a promise, or at once where it needs to ask nobody. */
import type { RateLimitKeys, RateLimiter, RateLimitResult } from '../../src/limits/rate-limiter.ts';

export const ask = (limiter: RateLimiter, claim: RateLimitKeys): Promise<RateLimitResult> =>
  new Promise((resolve) => limiter.decide(claim, resolve));

export function askAtOnce(limiter: RateLimiter, claim: RateLimitKeys): RateLimitResult | undefined {
  let told: RateLimitResult | undefined;
  limiter.decide(claim, (verdict) => {
    told = verdict;
  });
  return told;
}
