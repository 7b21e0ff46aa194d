/** A limiter's verdict as a promise, or at once where it needs to ask nobody. */
import type { Claim, Limiter, Verdict } from '../../src/limits/limiter.ts';

export const ask = (limiter: Limiter, claim: Claim): Promise<Verdict> =>
  new Promise((resolve) => limiter.decide(claim, resolve));

export function askAtOnce(limiter: Limiter, claim: Claim): Verdict | undefined {
  let told: Verdict | undefined;
  limiter.decide(claim, (verdict) => {
    told = verdict;
  });
  return told;
}
