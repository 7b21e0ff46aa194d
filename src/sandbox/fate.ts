/** What becomes of a call: an answer, nothing, or a fault, and how long it takes; the same call always fares the same. */
import { drawShare, hashText } from './hash.ts';
import type { Settings } from './settings.ts';

/** The ways to go wrong: status 500, a reset, no JSON, JSON that is not the answer to this call, and silence. */
export const faults = ['error', 'reset', 'garbage', 'misfit', 'silence'] as const;

export type Fate = 'answer' | 'nothing' | (typeof faults)[number];

export type Shares = Pick<Settings, 'faultShare' | 'noBidShare'>;
export type Pace = Pick<Settings, 'latencyMs' | 'latencySpreadMs'>;

/** `key` is the call's name: two partners asked the same have different luck. */
export function decideFate(key: string, { faultShare, noBidShare }: Shares): Fate {
  if (faultShare > 0 && drawShare(`fault ${key}`) < faultShare) {
    return faults[hashText(`kind ${key}`) % faults.length]!;
  }
  return noBidShare > 0 && drawShare(`nothing ${key}`) < noBidShare ? 'nothing' : 'answer';
}

export function delayOf(key: string, { latencyMs, latencySpreadMs }: Pace): number {
  return latencySpreadMs === 0 ? latencyMs : latencyMs + (hashText(`delay ${key}`) % (latencySpreadMs + 1));
}
