/** A limit in time: what GCRA reckons with. */
import type { Limits, Scope } from './limiter.ts';

/** One token every `intervalMicros`, `capacityMicros` for a whole bucket. */
export interface Pace {
  limit: number;
  intervalMicros: number;
  capacityMicros: number;
}

export type Paces = Readonly<Record<Scope, Pace>>;

/** Whole microseconds: exact where the limit divides a million, else a little slower than the limit, never faster. */
export function paceOf(limit: number): Pace {
  const intervalMicros = Math.ceil(1_000_000 / limit);
  return { limit, intervalMicros, capacityMicros: limit * intervalMicros };
}

export const pacesOf = ({ ip, publisher, global }: Limits): Paces => ({
  ip: paceOf(ip),
  publisher: paceOf(publisher),
  global: paceOf(global),
});
