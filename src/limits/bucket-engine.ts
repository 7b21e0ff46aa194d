/** Token buckets as GCRA: a bucket is one integer, the time at which it is full again. Clock passed in; no I/O. */
import type { Claim, Limiter, Limits, Scope, Verdict } from './limiter.ts';

/** A scope's limit in time: one token every `intervalMicros`, `capacityMicros` for a whole bucket. */
interface Pace {
  limit: number;
  intervalMicros: number;
  capacityMicros: number;
}

/** One bucket a request draws from. `fullAt` is GCRA's theoretical arrival time, in microseconds. */
interface Draw {
  scope: Scope;
  key: string;
  fullAt: number;
}

/** Whole microseconds: exact where the limit divides a million, else a little slower than the limit, never faster. */
function paceOf(limit: number): Pace {
  const intervalMicros = Math.ceil(1_000_000 / limit);
  return { limit, intervalMicros, capacityMicros: limit * intervalMicros };
}

export class BucketEngine implements Limiter {
  readonly #paces: Record<Scope, Pace>;
  readonly #nowMicros: () => number;
  readonly #fullAt = new Map<string, number>();

  constructor(limits: Limits, nowMicros: () => number) {
    this.#paces = { ip: paceOf(limits.ip), publisher: paceOf(limits.publisher), global: paceOf(limits.global) };
    this.#nowMicros = nowMicros;
  }

  /** All or nothing: a request that one scope refuses is charged to none. */
  decide(claim: Claim): Verdict {
    const now = this.#nowMicros();
    const draws = this.#draws(claim, now);
    const admitted = draws.every(({ scope, fullAt }) => this.#remaining(scope, fullAt, now) > 0);
    if (admitted) {
      for (const draw of draws) {
        draw.fullAt += this.#paces[draw.scope].intervalMicros;
        this.#fullAt.set(draw.key, draw.fullAt);
      }
    }
    return this.#report(draws, now, admitted);
  }

  /** Forgets the buckets that are full: they are as good as new ones. */
  sweep(): void {
    const now = this.#nowMicros();
    for (const [key, fullAt] of this.#fullAt) {
      if (fullAt <= now) this.#fullAt.delete(key);
    }
  }

  get size(): number {
    return this.#fullAt.size;
  }

  #draws({ ip, publisher }: Claim, now: number): Draw[] {
    const draws = [this.#draw('ip', `i:${ip}`, now)];
    if (publisher !== undefined) draws.push(this.#draw('publisher', `p:${publisher}`, now));
    draws.push(this.#draw('global', 'g', now));
    return draws;
  }

  /** Held between now and one whole bucket ahead, so that a clock that steps back costs one window at most. */
  #draw(scope: Scope, key: string, now: number): Draw {
    const stored = this.#fullAt.get(key) ?? now;
    return { scope, key, fullAt: Math.min(Math.max(stored, now), now + this.#paces[scope].capacityMicros) };
  }

  #remaining(scope: Scope, fullAt: number, now: number): number {
    const { capacityMicros, intervalMicros } = this.#paces[scope];
    return Math.floor((capacityMicros - (fullAt - now)) / intervalMicros);
  }

  #report(draws: readonly Draw[], now: number, admitted: boolean): Verdict {
    let tightest = draws[0]!;
    let least = Infinity;
    for (const draw of draws) {
      const remaining = this.#remaining(draw.scope, draw.fullAt, now);
      if (remaining < least) {
        least = remaining;
        tightest = draw;
      }
    }
    const { scope, fullAt } = tightest;
    return { admitted, scope, limit: this.#paces[scope].limit, remaining: least, resetAtMs: fullAt / 1000 };
  }
}
