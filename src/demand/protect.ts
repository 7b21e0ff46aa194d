/** Spares partners calls they should not get: those that keep failing, and those beyond their rate. */
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { CallPartner } from './call-partner.ts';
import type { PartnerResult } from './partner-result.ts';
import type { QpsLimiter } from './qps-limiter.ts';

export interface Protection {
  breaker: CircuitBreaker;
  gate: QpsLimiter | undefined;
  /** Given up sooner than this, a partner has not failed: it was the caller who could not wait. */
  fairMs: number;
  nowMs: () => number;
}

/** Every real call counts once. Test calls are held back like others, but tell the breaker nothing. */
export function withProtection(ask: CallPartner, { breaker, gate, fairMs, nowMs }: Protection): CallPartner {
  return (call, answered, isTest) => {
    const startedAtMs = nowMs();
    if (!breaker.admits(startedAtMs) || (gate && !gate.take(startedAtMs))) {
      answered('skipped');
      return () => {};
    }
    if (!isTest) breaker.begin();
    return ask(
      call,
      (ending, body) => {
        const now = nowMs();
        if (!isTest) breaker.record(judge(ending, now - startedAtMs, fairMs), now);
        answered(ending, body);
      },
      isTest,
    );
  };
}

function judge(ending: PartnerResult, tookMs: number, fairMs: number): 'success' | 'failure' | 'unknown' {
  if (ending === 'bid' || ending === 'no_bid' || ending === 'invalid') return 'success';
  if (ending === 'error') return 'failure';
  return tookMs >= fairMs && ending === 'late' ? 'failure' : 'unknown';
}
