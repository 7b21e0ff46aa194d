/** From the partners file to partners at work. */
import type { PartnerSettings } from './adapter.ts';
import { type CacheSettings, withCache } from './answer-cache.ts';
import { Breaker, type BreakerState, failuresInARow } from './breaker.ts';
import { type AskPartner, createAskPartner } from './call-partner.ts';
import { Partner } from './partner.ts';
import { withProtection } from './protect.ts';
import { QpsGate } from './qps-gate.ts';
import { adapters } from './registry.ts';

export interface PartnerEnvironment {
  /** Workers of this machine, which share out a partner's rate. */
  workers: number;
  /** This one's place among them, from 0. */
  slot: number;
  nowMs: () => number;
  onBreaker: (partner: string, state: BreakerState) => void;
  onDefect: (partner: string, thrown: unknown) => void;
  onLeftOut: (partner: string, part: string) => void;
}

export function createPartners(all: readonly PartnerSettings[], environment: PartnerEnvironment): Partner[] {
  return all.map((settings) => createPartner(settings, environment));
}

function createPartner(settings: PartnerSettings, environment: PartnerEnvironment): Partner {
  const { name } = settings;
  const { nowMs, onDefect, onLeftOut } = environment;
  return new Partner({
    settings,
    conversation: adapters[settings.adapter]!.converse(settings),
    ask: createAsk(settings, environment),
    nowMs,
    onDefect: (thrown) => onDefect(name, thrown),
    onLeftOut: (part) => onLeftOut(name, part),
  });
}

/** How the partner is called: not at all where it has no endpoint, protected, through a cache where it has one. */
function createAsk(settings: CallSettings, { workers, slot, nowMs, onBreaker }: PartnerEnvironment): AskPartner {
  const { name, endpoint, timeoutMs, maxQps, cacheMs = 0, cacheSize = 0 } = settings;
  if (endpoint === undefined) {
    return () => {
      throw new Error(`${name} has no endpoint to call`);
    };
  }
  const ask = withProtection(createAskPartner(endpoint), {
    breaker: new Breaker(failuresInARow(workers), (state) => onBreaker(name, state)),
    gate: maxQps === undefined ? undefined : new QpsGate(maxQps, workers, slot),
    fairMs: Math.min(timeoutMs ?? longestFairMs, longestFairMs) - 1,
    nowMs,
  });
  return withCache(ask, { cacheMs, cacheSize }, nowMs);
}

/** Whoever has not answered by then is slow by any standard; auctions with a bid at hand end sooner. */
const longestFairMs = 250;

type CallSettings = PartnerSettings & { endpoint?: string } & Partial<CacheSettings>;
