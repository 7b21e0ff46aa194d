/** From the partners file to partners at work. */
import type { PartnerSettings } from './adapter.ts';
import { type CacheSettings, withCache } from './answer-cache.ts';
import { Breaker, type BreakerState, failuresInARow } from './breaker.ts';
import { type AskPartner, createAskPartner } from './call-partner.ts';
import { Partner } from './partner.ts';
import { QpsGate, withRate } from './qps-gate.ts';
import { adapters } from './registry.ts';

export interface Surroundings {
  /** Workers of this machine, which share out a partner's rate. */
  workers: number;
  /** This one's place among them, from 0. */
  slot: number;
  nowMs: () => number;
  onBreaker: (partner: string, state: BreakerState) => void;
  onDefect: (partner: string, thrown: unknown) => void;
  onLeftOut: (partner: string, part: string) => void;
}

export function createPartners(all: readonly PartnerSettings[], surroundings: Surroundings): Partner[] {
  return all.map((settings) => createPartner(settings, surroundings));
}

function createPartner(settings: PartnerSettings, surroundings: Surroundings): Partner {
  const { name } = settings;
  const { workers, nowMs, onBreaker, onDefect, onLeftOut } = surroundings;
  return new Partner({
    settings,
    conversation: adapters[settings.adapter]!.converse(settings),
    ask: createAsk(settings, surroundings),
    breaker: new Breaker(failuresInARow(workers), (state) => onBreaker(name, state)),
    nowMs,
    onDefect: (thrown) => onDefect(name, thrown),
    onLeftOut: (part) => onLeftOut(name, part),
  });
}

/** How the partner is called: not at all where it has no endpoint, within its rate, through a cache where it has one. */
function createAsk(settings: CallSettings, { workers, slot, nowMs }: Surroundings): AskPartner {
  const { endpoint, maxQps, cacheMs = 0, cacheSize = 0 } = settings;
  if (endpoint === undefined) {
    return () => {
      throw new Error(`${settings.name} has no endpoint to call`);
    };
  }
  const ask = createAskPartner(endpoint);
  const rated = maxQps === undefined ? ask : withRate(ask, new QpsGate(maxQps, workers, slot), nowMs);
  return withCache(rated, { cacheMs, cacheSize }, nowMs);
}

type CallSettings = PartnerSettings & { endpoint?: string } & Partial<CacheSettings>;
