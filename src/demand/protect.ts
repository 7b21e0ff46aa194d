/** Skips calls that a partner should not get: its circuit breaker is open, or its QPS cap is reached. */
import { type BidderCall, isFurtherCall } from './adapter.ts';
import type { CallPartner, PartnerResponse } from './call-partner.ts';
import type { CircuitBreaker, BreakerSignal } from './circuit-breaker.ts';
import { type QpsLimiter, qpsReached } from './qps-limiter.ts';

export interface Protection {
  breaker: CircuitBreaker;
  qpsLimiter: QpsLimiter | undefined;
  /** A call cancelled sooner than this does not count for the circuit breaker. */
  fairMs: number;
  nowMs: () => number;
}

const breakerOpen: PartnerResponse = { result: 'skipped', explain: () => 'Its circuit breaker is open.' };
const atMaxQps: PartnerResponse = { result: 'skipped', explain: () => qpsReached };

/** Test calls are skipped like others, and sooner if the QPS cap is near, but do not count for the circuit breaker. */
export function withProtection(callPartner: CallPartner, protection: Protection): CallPartner {
  const { breaker, qpsLimiter, fairMs, nowMs } = protection;
  return async (call, cancellation, isTest) => {
    const startedAtMs = nowMs();
    if (!breaker.allows(startedAtMs)) return breakerOpen;
    if (qpsLimiter?.take(startedAtMs, isTest || isFurtherCall(call)) === false) return atMaxQps;
    if (isTest) return callPartner(call, cancellation, isTest);
    const begun = breaker.begin();
    let signal: BreakerSignal = 'unknown';
    let cause: string | undefined;
    try {
      const response = await callPartner(call, cancellation, isTest);
      signal = oncePerGroup(toSignal(response, nowMs() - startedAtMs, fairMs), call);
      if (signal === 'failure') cause = toCause(response);
      return response;
    } finally {
      breaker.record(begun, signal, nowMs(), cause);
    }
  };
}

/** The calls of an auction fail at most once, and succeed at most once: else one request of a caller could open the circuit for all. */
function oncePerGroup(signal: BreakerSignal, { group }: BidderCall): BreakerSignal {
  if (!group) return signal;
  if (group.counted.has(signal)) return 'unknown';
  group.counted.add(signal);
  return signal;
}

/** A status below 500 is no signal: the content of a single request can provoke it (decision 9). */
function toSignal({ result, status }: PartnerResponse, durationMs: number, fairMs: number): BreakerSignal {
  if (result === 'bid' || result === 'no_bid' || result === 'invalid') return 'success';
  if (result === 'error') return status === undefined || status >= 500 ? 'failure' : 'unknown';
  return result !== 'skipped' && durationMs >= fairMs ? 'failure' : 'unknown';
}

/** Why a call failed, for the log. */
function toCause({ result, status }: PartnerResponse): string {
  if (status !== undefined) return `status ${status}`;
  return result === 'error' ? 'connection failed' : 'no response in time';
}
