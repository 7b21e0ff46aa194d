/** Token buckets by the generic cell rate algorithm (GCRA). Pure: the clock is passed in. */
import { bucketKeys, type Decision, decodeDecision, encodeDecision } from './buckets.ts';
import type { Limits, RateLimitKeys, RateLimitResult, Scope } from './rate-limiter.ts';

export interface GcraParams {
  /** Tokens in a full bucket. */
  burst: number;
  /** Time per token. */
  emissionIntervalMicros: number;
  /** Time to fill an empty bucket. */
  burstMicros: number;
}

export type ScopeParams = Readonly<Record<Scope, GcraParams>>;

/** Intervals are whole microseconds, rounded up: the rate is exact if the limit divides a million, else slightly below it. */
export function gcraParams(limit: number): GcraParams {
  const emissionIntervalMicros = Math.ceil(1_000_000 / limit);
  return { burst: limit, emissionIntervalMicros, burstMicros: limit * emissionIntervalMicros };
}

export const scopeParams = ({ ip, publisher, global }: Limits): ScopeParams => ({
  ip: gcraParams(ip),
  publisher: gcraParams(publisher),
  global: gcraParams(global),
});

export function toResult(decision: Decision, nowMicros: number, params: ScopeParams): RateLimitResult {
  const { admitted, scope, remaining, fullInMicros } = decodeDecision(decision);
  const resetAtMs = (nowMicros + fullInMicros) / 1000;
  return { admitted, scope, limit: params[scope].burst, remaining, resetAtMs };
}

/** How long a rejection stays certain: until the empty bucket has a token again. */
export function nextTokenInMicros(rejection: Decision, params: ScopeParams): number {
  const { scope, fullInMicros } = decodeDecision(rejection);
  const { burstMicros, emissionIntervalMicros } = params[scope];
  return fullInMicros - (burstMicros - emissionIntervalMicros);
}

/** A bucket of the request being decided. */
interface Charge {
  scope: Scope;
  key: string;
  tat: number;
}

export class GcraEngine {
  #params: ScopeParams;
  /** The theoretical arrival time (TAT) per bucket: the microsecond at which the bucket is full. */
  readonly #tats = new Map<string, number>();

  constructor(limits: Limits) {
    this.#params = scopeParams(limits);
  }

  /** Existing buckets keep what was charged, up to one full bucket of the new size. */
  setLimits(limits: Limits): void {
    this.#params = scopeParams(limits);
  }

  get params(): ScopeParams {
    return this.#params;
  }

  /** The number of buckets in memory: all that are not full, and full ones that were not swept yet. */
  get size(): number {
    return this.#tats.size;
  }

  /** All or nothing: a request that one scope rejects is charged to none. */
  decide(keys: RateLimitKeys, nowMicros: number): Decision {
    const charges = this.#charges(keys, nowMicros);
    const admitted = charges.every(({ scope, tat }) => this.#remaining(scope, tat, nowMicros) > 0);
    if (admitted) {
      for (const charge of charges) {
        charge.tat += this.#params[charge.scope].emissionIntervalMicros;
        this.#tats.set(charge.key, charge.tat);
      }
    }
    return this.#report(charges, nowMicros, admitted);
  }

  /** Removes full buckets: they are equal to buckets that do not exist. */
  sweep(nowMicros: number): void {
    for (const [key, tat] of this.#tats) {
      if (tat <= nowMicros) this.#tats.delete(key);
    }
  }

  #charges(keys: RateLimitKeys, nowMicros: number): Charge[] {
    const { ip, publisher, global } = bucketKeys(keys);
    const charges = [this.#charge('ip', ip, nowMicros)];
    if (publisher !== undefined) charges.push(this.#charge('publisher', publisher, nowMicros));
    charges.push(this.#charge('global', global, nowMicros));
    return charges;
  }

  /** A TAT beyond an empty bucket comes from a clock that was set back. It is capped, so it costs at most one window. */
  #charge(scope: Scope, key: string, nowMicros: number): Charge {
    const stored = this.#tats.get(key) ?? nowMicros;
    const maxTat = nowMicros + this.#params[scope].burstMicros;
    if (stored > maxTat) this.#tats.set(key, maxTat);
    return { scope, key, tat: Math.min(Math.max(stored, nowMicros), maxTat) };
  }

  #remaining(scope: Scope, tat: number, nowMicros: number): number {
    const { burstMicros, emissionIntervalMicros } = this.#params[scope];
    return Math.floor((burstMicros - (tat - nowMicros)) / emissionIntervalMicros);
  }

  /** Reports the scope with the fewest tokens left. */
  #report(charges: readonly Charge[], nowMicros: number, admitted: boolean): Decision {
    let tightest = charges[0]!;
    let minRemaining = Infinity;
    for (const charge of charges) {
      const remaining = this.#remaining(charge.scope, charge.tat, nowMicros);
      if (remaining < minRemaining) {
        minRemaining = remaining;
        tightest = charge;
      }
    }
    return encodeDecision(minRemaining, tightest.scope, admitted, tightest.tat - nowMicros);
  }
}
