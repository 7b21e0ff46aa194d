/** A decision in two integers, as it comes from the script and over IPC, and what it means. */
import { type Scope, scopes, type Verdict } from './limiter.ts';
import type { Paces } from './pace.ts';

/** `outcome` is remaining × 8 + place of the scope × 2 + 1 if admitted; `fullInMicros` is until its bucket is full. */
export interface Decision {
  outcome: number;
  fullInMicros: number;
}

export const encodeOutcome = (remaining: number, scope: Scope, admitted: boolean): number =>
  remaining * 8 + scopes.indexOf(scope) * 2 + (admitted ? 1 : 0);

export const isRefusal = ({ outcome }: Decision): boolean => outcome % 2 === 0;

export function toVerdict({ outcome, fullInMicros }: Decision, nowMicros: number, paces: Paces): Verdict {
  const scope = scopes[(outcome >> 1) & 3]!;
  return {
    admitted: outcome % 2 === 1,
    scope,
    limit: paces[scope].limit,
    remaining: outcome >> 3,
    resetAtMs: (nowMicros + fullInMicros) / 1000,
  };
}

/** How long a refusal stays certain: until its bucket has one token again. */
export function refusedForMicros({ outcome, fullInMicros }: Decision, paces: Paces): number {
  const { capacityMicros, intervalMicros } = paces[scopes[(outcome >> 1) & 3]!];
  return fullInMicros - (capacityMicros - intervalMicros);
}
