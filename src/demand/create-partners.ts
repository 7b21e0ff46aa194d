/** Creates the partners of the partners file, each with its bidder, its protections and its connections. */
import type { PartnerSettings, RemotePartnerSettings } from './adapter.ts';
import { type CallPartner, createCallPartner, type ResponseTurns } from './call-partner.ts';
import { CircuitBreaker, type CircuitState, maxConsecutiveFailures } from './circuit-breaker.ts';
import type { Turns } from '../pacing/pacer.ts';
import { HostNames } from './host-names.ts';
import { NetworkTime } from './network-time.ts';
import { outlivingAuctions, withResponseTimes } from './observe-calls.ts';
import { Partner } from './partner.ts';
import { withProtection } from './protect.ts';
import { QpsLimiter } from './qps-limiter.ts';
import { adapters } from './registry.ts';
import { type CacheSettings, withResponseCache } from './response-cache.ts';
import { ResponseTimes } from './response-times.ts';

export interface PartnerEnvironment {
  /** Workers of this machine, among which a partner's QPS cap is divided. */
  workers: number;
  /** Among them, from 0. */
  workerIndex: number;
  /** The auction's hard and soft budgets. */
  budgets: { timeoutMs: number; softTimeoutMs: number };
  nowMs: () => number;
  random?: () => number;
  /** Large responses wait for their turn before they are parsed. */
  turns: Turns;
  /** `cause` is the last failure in words, if the circuit is open. */
  onCircuitState: (partner: string, state: CircuitState, cause?: string) => void;
  onIgnoredParam: (partner: string, param: string) => void;
  /** A host name of partners can no longer be resolved, or again (without an error). */
  onHostName: (name: string, error?: Error) => void;
}

export function createPartners(all: readonly PartnerSettings[], environment: PartnerEnvironment): Partner[] {
  const hostNames = new HostNames({ onChange: environment.onHostName });
  return all.map((settings) => createPartner(settings, environment, hostNames));
}

function createPartner(settings: PartnerSettings, environment: PartnerEnvironment, hostNames: HostNames): Partner {
  const { name } = settings;
  const { nowMs, onIgnoredParam, turns, budgets } = environment;
  const adapter = adapters[settings.adapter]!;
  // The partners file was validated against the adapter's own rules.
  const bidder = adapter.createBidder(settings as RemotePartnerSettings);
  const times = new ResponseTimes(budgets.softTimeoutMs);
  const network = new NetworkTime();
  const owner = `partner ${name}`;
  const ownTurns: ResponseTurns = {
    turn: (client) => turns.turn(owner, client),
    isLate: (client) => turns.isLate(owner, client),
  };
  const http = createCallPartner(ownTurns, {
    lookup: hostNames.lookup,
    onHandshake: (durationMs) => network.connected(durationMs),
  });
  return new Partner({
    settings,
    bidder,
    callPartner: protectCalls(http, times, settings, environment),
    learnedTimes: {
      get deadlineMs() {
        return times.deadlineMs;
      },
      get roundTripMs() {
        return network.roundTripMs;
      },
    },
    localLimiter: adapter.kind === 'local' ? qpsLimiterOf(settings, environment) : undefined,
    nowMs,
    onIgnoredParam: (param) => onIgnoredParam(name, param),
  });
}

/** A partner whose calls are cached (`cacheMs`, `cacheSize`) is protected below its cache: hits cost it nothing. */
export function protectCalls(
  http: CallPartner,
  times: ResponseTimes,
  settings: PartnerSettings & Partial<CacheSettings>,
  {
    workers,
    workerIndex,
    nowMs,
    random,
    onCircuitState,
    budgets,
  }: Omit<PartnerEnvironment, 'turns' | 'onIgnoredParam' | 'onHostName'>,
): CallPartner {
  const { name, timeoutMs = Infinity, cacheMs = 0, cacheSize = 0 } = settings;
  const callPartner = withProtection(withResponseTimes(http, times, nowMs), {
    breaker: new CircuitBreaker(
      maxConsecutiveFailures(workers),
      (state, cause) => onCircuitState(name, state, cause),
      random,
    ),
    qpsLimiter: qpsLimiterOf(settings, { workers, workerIndex }),
    fairMs: Math.min(timeoutMs, maxFairMs) - 1,
    nowMs,
  });
  const observed = outlivingAuctions(callPartner, { maxCallMs: Math.min(timeoutMs, budgets.timeoutMs), nowMs });
  return withResponseCache(observed, { cacheMs, cacheSize }, nowMs);
}

const qpsLimiterOf = (
  { maxQps }: PartnerSettings,
  { workers, workerIndex }: Pick<PartnerEnvironment, 'workers' | 'workerIndex'>,
): QpsLimiter | undefined => (maxQps === undefined ? undefined : new QpsLimiter(maxQps, workers, workerIndex));

/** A partner that has not responded by then is slow, even if auctions that have a bid end sooner. */
const maxFairMs = 250;
