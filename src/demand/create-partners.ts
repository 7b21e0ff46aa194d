/** Creates the partners of the partners file, each with its bidder, its protections and its connections. */
import type { PartnerSettings, RemotePartnerSettings } from './adapter.ts';
import { type CallPartner, createCallPartner } from './call-partner.ts';
import { CircuitBreaker, type CircuitState, maxConsecutiveFailures } from './circuit-breaker.ts';
import { Partner } from './partner.ts';
import { withProtection } from './protect.ts';
import { QpsLimiter } from './qps-limiter.ts';
import { adapters } from './registry.ts';
import { type CacheSettings, withResponseCache } from './response-cache.ts';

export interface PartnerEnvironment {
  /** Workers of this machine, among which a partner's QPS cap is divided. */
  workers: number;
  /** The index of this worker, from 0. */
  slot: number;
  nowMs: () => number;
  /** Called before a large response of a partner is parsed; false if it is given up. */
  takeTurn: (partner: string) => Promise<boolean>;
  onCircuitState: (partner: string, state: CircuitState) => void;
  onIgnoredParam: (partner: string, param: string) => void;
}

export function createPartners(all: readonly PartnerSettings[], environment: PartnerEnvironment): Partner[] {
  return all.map((settings) => createPartner(settings, environment));
}

function createPartner(settings: PartnerSettings, environment: PartnerEnvironment): Partner {
  const { name } = settings;
  const { nowMs, onIgnoredParam } = environment;
  const adapter = adapters[settings.adapter]!;
  // The partners file was validated against the adapter's own rules.
  const bidder = adapter.createBidder(settings as RemotePartnerSettings);
  return new Partner({
    settings,
    bidder,
    callPartner: createCalls(settings, environment),
    nowMs,
    onIgnoredParam: (param) => onIgnoredParam(name, param),
  });
}

/** A partner whose calls are cached (`cacheMs`, `cacheSize`) is protected below its cache: hits cost it nothing. */
function createCalls(settings: PartnerSettings & Partial<CacheSettings>, environment: PartnerEnvironment): CallPartner {
  const { workers, slot, nowMs, takeTurn, onCircuitState } = environment;
  const { name, timeoutMs, maxQps, cacheMs = 0, cacheSize = 0 } = settings;
  const callPartner = withProtection(
    createCallPartner(() => takeTurn(name)),
    {
      breaker: new CircuitBreaker(maxConsecutiveFailures(workers), (state) => onCircuitState(name, state)),
      qpsLimiter: maxQps === undefined ? undefined : new QpsLimiter(maxQps, workers, slot),
      fairMs: Math.min(timeoutMs ?? maxFairMs, maxFairMs) - 1,
      nowMs,
    },
  );
  return withResponseCache(callPartner, { cacheMs, cacheSize }, nowMs);
}

/** A partner that has not responded by then is slow, even if auctions that have a bid end sooner. */
const maxFairMs = 250;
