/** From the partners file to partners at work. */
import type { PartnerSettings } from './adapter.ts';
import { type CacheSettings, withCache } from './answer-cache.ts';
import { Breaker, type BreakerState, failuresInARow } from './breaker.ts';
import { type AskPartner, createAskPartner } from './call-partner.ts';
import { Partner } from './partner.ts';
import { QpsGate } from './qps-gate.ts';
import { adapters } from './registry.ts';

export interface Surroundings {
  /** Workers of this machine, which share out a partner's rate. */
  workers: number;
  nowMs: () => number;
  onBreaker: (partner: string, state: BreakerState) => void;
  onDefect: (partner: string, thrown: unknown) => void;
  onLeftOut: (partner: string, part: string) => void;
}

export function createPartners(all: readonly PartnerSettings[], surroundings: Surroundings): Partner[] {
  return all.map((settings) => createPartner(settings, surroundings));
}

function createPartner(
  settings: PartnerSettings,
  { workers, nowMs, onBreaker, onDefect, onLeftOut }: Surroundings,
): Partner {
  const { name, maxQps } = settings;
  return new Partner({
    settings,
    conversation: adapters[settings.adapter]!.converse(settings),
    ask: createAsk(settings, nowMs),
    breaker: new Breaker(failuresInARow(workers), (state) => onBreaker(name, state)),
    qpsGate: maxQps === undefined ? undefined : new QpsGate(maxQps, workers),
    nowMs,
    onDefect: (thrown) => onDefect(name, thrown),
    onLeftOut: (part) => onLeftOut(name, part),
  });
}

/** How the partner is called: not at all where it has no endpoint, through a cache where its adapter has one. */
function createAsk(
  settings: PartnerSettings & { endpoint?: string } & Partial<CacheSettings>,
  nowMs: () => number,
): AskPartner {
  const { endpoint, cacheMs = 0, cacheSize = 0 } = settings;
  if (endpoint === undefined) {
    return () => {
      throw new Error(`${settings.name} has no endpoint to call`);
    };
  }
  return withCache(createAskPartner(endpoint), { cacheMs, cacheSize }, nowMs);
}
