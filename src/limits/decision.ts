/** A decision in one integer, as it comes from the script and over IPC, and what it means. */
import { type Scope, scopes, type RateLimitResult } from './rate-limiter.ts';
import type { ScopeParams } from './gcra-params.ts';

/** Microseconds until the tightest bucket is full × 2²³ + tokens left in it × 8 + place of its scope × 2 + 1 if admitted. */
export type Decision = number;

/** Limits go up to a million, and no bucket takes two seconds to be full: 2²³ is above the lower part, 2⁵³ above all of it. */
const unit = 2 ** 23;

export const toDecision = (remaining: number, scope: Scope, admitted: boolean, fullInMicros: number): Decision =>
  fullInMicros * unit + remaining * 8 + scopes.indexOf(scope) * 2 + (admitted ? 1 : 0);

export const isRefusal = (decision: Decision): boolean => decision % 2 === 0;

export function toVerdict(decision: Decision, nowMicros: number, paces: ScopeParams): RateLimitResult {
  const outcome = decision % unit;
  const scope = scopeOf(outcome);
  return {
    admitted: !isRefusal(outcome),
    scope,
    limit: paces[scope].limit,
    remaining: outcome >> 3,
    resetAtMs: (nowMicros + fullInMicros(decision)) / 1000,
  };
}

/** How long a refusal stays certain: until its bucket has one token again. */
export function refusedForMicros(decision: Decision, paces: ScopeParams): number {
  const { capacityMicros, intervalMicros } = paces[scopeOf(decision % unit)];
  return fullInMicros(decision) - (capacityMicros - intervalMicros);
}

const scopeOf = (outcome: number): Scope => scopes[(outcome >> 1) & 3]!;
const fullInMicros = (decision: Decision): number => Math.floor(decision / unit);
