/** Token buckets as GCRA: a bucket is one integer, the time at which it is full again. Clock passed in; no I/O. */
import { bucketKeys } from './bucket-keys.ts';
import { type Decision, toDecision } from './decision.ts';
import type { RateLimitKeys, Limits, Scope } from './rate-limiter.ts';
import { type ScopeParams, scopeParams } from './gcra-params.ts';

/** One bucket a request draws from. `fullAt` is GCRA's theoretical arrival time, in microseconds. */
interface Draw {
  scope: Scope;
  key: string;
  fullAt: number;
}

export class GcraEngine {
  #paces: ScopeParams;
  readonly #fullAt = new Map<string, number>();

  constructor(limits: Limits) {
    this.#paces = scopeParams(limits);
  }

  /** New limits for the buckets there are; what was drawn stays drawn, up to one whole bucket. */
  setLimits(limits: Limits): void {
    this.#paces = scopeParams(limits);
  }

  get paces(): ScopeParams {
    return this.#paces;
  }

  /** Buckets that are not full, as far as they were not swept. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** All or nothing: a request that one scope refuses is charged to none. */
  decide(claim: RateLimitKeys, nowMicros: number): Decision {
    const draws = this.#draws(claim, nowMicros);
    const admitted = draws.every(({ scope, fullAt }) => this.#remaining(scope, fullAt, nowMicros) > 0);
    if (admitted) {
      for (const draw of draws) {
        draw.fullAt += this.#paces[draw.scope].intervalMicros;
        this.#fullAt.set(draw.key, draw.fullAt);
      }
    }
    return this.#tightest(draws, nowMicros, admitted);
  }

  /** Forgets the buckets that are full: they are as good as new ones. */
  sweep(nowMicros: number): void {
    for (const [key, fullAt] of this.#fullAt) {
      if (fullAt <= nowMicros) this.#fullAt.delete(key);
    }
  }

  #draws(claim: RateLimitKeys, now: number): Draw[] {
    const { ip, publisher, global } = bucketKeys(claim);
    const draws = [this.#draw('ip', ip, now)];
    if (publisher !== undefined) draws.push(this.#draw('publisher', publisher, now));
    draws.push(this.#draw('global', global, now));
    return draws;
  }

  /** No bucket is more than empty: one that a clock set back left so is brought back, which costs one window at most. */
  #draw(scope: Scope, key: string, now: number): Draw {
    const stored = this.#fullAt.get(key) ?? now;
    const emptiest = now + this.#paces[scope].capacityMicros;
    if (stored > emptiest) this.#fullAt.set(key, emptiest);
    return { scope, key, fullAt: Math.min(Math.max(stored, now), emptiest) };
  }

  #remaining(scope: Scope, fullAt: number, now: number): number {
    const { capacityMicros, intervalMicros } = this.#paces[scope];
    return Math.floor((capacityMicros - (fullAt - now)) / intervalMicros);
  }

  #tightest(draws: readonly Draw[], now: number, admitted: boolean): Decision {
    let tightest = draws[0]!;
    let least = Infinity;
    for (const draw of draws) {
      const remaining = this.#remaining(draw.scope, draw.fullAt, now);
      if (remaining < least) {
        least = remaining;
        tightest = draw;
      }
    }
    return toDecision(least, tightest.scope, admitted, tightest.fullAt - now);
  }
}
