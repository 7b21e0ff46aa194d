/** Chooses the behaviour and the delay of a call from a hash of its key: the same call always gets the same. */
import { hashFraction, hashText } from './hash.ts';
import type { Settings } from './settings.ts';

/**
 * - `error`: status 500.
 * - `reset`: the connection is reset.
 * - `truncated-json`: status 200 with incomplete JSON.
 * - `wrong-response`: status 200 with valid JSON that is not a valid response to this call.
 * - `no-response`: the connection stays open without a response.
 */
export const faults = ['error', 'reset', 'truncated-json', 'wrong-response', 'no-response'] as const;

export type Behaviour = 'respond' | 'no-bid' | (typeof faults)[number];

export type Shares = Pick<Settings, 'faultShare' | 'noBidShare'>;
export type Latency = Pick<Settings, 'latencyMs' | 'latencySpreadMs'>;

/** `key` contains the partner's name, so that partners behave differently on the same request. */
export function chooseBehaviour(key: string, { faultShare, noBidShare }: Shares): Behaviour {
  if (faultShare > 0 && hashFraction(`fault ${key}`) < faultShare) {
    return faults[hashText(`kind ${key}`) % faults.length]!;
  }
  return noBidShare > 0 && hashFraction(`nothing ${key}`) < noBidShare ? 'no-bid' : 'respond';
}

export function chooseDelayMs(key: string, { latencyMs, latencySpreadMs }: Latency): number {
  return latencySpreadMs === 0 ? latencyMs : latencyMs + (hashText(`delay ${key}`) % (latencySpreadMs + 1));
}
