/** A limit in time: what GCRA reckons with. */
import type { Limits, Scope } from './rate-limiter.ts';

/** One token every `intervalMicros`, `capacityMicros` for a whole bucket. */
export interface GcraParams {
  limit: number;
  intervalMicros: number;
  capacityMicros: number;
}

export type ScopeParams = Readonly<Record<Scope, GcraParams>>;

/** Whole microseconds: exact where the limit divides a million, else a little slower than the limit, never faster. */
export function gcraParams(limit: number): GcraParams {
  const intervalMicros = Math.ceil(1_000_000 / limit);
  return { limit, intervalMicros, capacityMicros: limit * intervalMicros };
}

export const scopeParams = ({ ip, publisher, global }: Limits): ScopeParams => ({
  ip: gcraParams(ip),
  publisher: gcraParams(publisher),
  global: gcraParams(global),
});
