/** From the partners file to partners at work. */
import type { PartnerSettings } from './adapter.ts';
import { type CacheSettings, withCache } from './response-cache.ts';
import { CircuitBreaker, type CircuitState, failuresInARow } from './circuit-breaker.ts';
import { type CallPartner, createCallPartner } from './call-partner.ts';
import { Partner } from './partner.ts';
import { withProtection } from './protect.ts';
import { QpsLimiter } from './qps-limiter.ts';
import { adapters } from './registry.ts';

export interface PartnerEnvironment {
  /** Workers of this machine, which share out a partner's rate. */
  workers: number;
  /** This one's place among them, from 0. */
  slot: number;
  nowMs: () => number;
  onBreaker: (partner: string, state: CircuitState) => void;
  onDefect: (partner: string, thrown: unknown) => void;
  onIgnoredParam: (partner: string, part: string) => void;
}

export function createPartners(all: readonly PartnerSettings[], environment: PartnerEnvironment): Partner[] {
  return all.map((settings) => createPartner(settings, environment));
}

function createPartner(settings: PartnerSettings, environment: PartnerEnvironment): Partner {
  const { name } = settings;
  const { nowMs, onDefect, onIgnoredParam } = environment;
  return new Partner({
    settings,
    bidder: adapters[settings.adapter]!.createBidder(settings),
    ask: createAsk(settings, environment),
    nowMs,
    onDefect: (thrown) => onDefect(name, thrown),
    onIgnoredParam: (part) => onIgnoredParam(name, part),
  });
}

/** How the partner is called: not at all where it has no endpoint, protected, through a cache where it has one. */
function createAsk(settings: CallSettings, { workers, slot, nowMs, onBreaker }: PartnerEnvironment): CallPartner {
  const { name, endpoint, timeoutMs, maxQps, cacheMs = 0, cacheSize = 0 } = settings;
  if (endpoint === undefined) {
    return () => {
      throw new Error(`${name} has no endpoint to call`);
    };
  }
  const ask = withProtection(createCallPartner(endpoint), {
    breaker: new CircuitBreaker(failuresInARow(workers), (state) => onBreaker(name, state)),
    gate: maxQps === undefined ? undefined : new QpsLimiter(maxQps, workers, slot),
    fairMs: Math.min(timeoutMs ?? longestFairMs, longestFairMs) - 1,
    nowMs,
  });
  return withCache(ask, { cacheMs, cacheSize }, nowMs);
}

/** Whoever has not answered by then is slow by any standard; auctions with a bid at hand end sooner. */
const longestFairMs = 250;

type CallSettings = PartnerSettings & { endpoint?: string } & Partial<CacheSettings>;
