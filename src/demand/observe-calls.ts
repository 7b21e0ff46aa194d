/** Learns the response times of a partner, also from calls that their auction has not waited for. */
import type { CallPartner, PartnerResponse } from './call-partner.ts';
import { Cancellation } from './cancellation.ts';
import type { ResponseTimes } from './response-times.ts';

export interface Observation {
  /** A call that its auction has not waited for is cancelled this long after its start. */
  maxCallMs: number;
  nowMs: () => number;
}

/** Per partner and worker: half of its connections. Beyond them, a call is cancelled when its auction ends. */
const maxObserved = 128;

/**
 * Lets a call go on if its auction ends without it. So its response time becomes known, the circuit breaker learns how it ended, and the
 * connection can be used again. The auction has its result at once. Test calls are cancelled.
 */
export function outlivingAuctions(callPartner: CallPartner, { maxCallMs, nowMs }: Observation): CallPartner {
  let observed = 0;
  const observe = (own: Cancellation, leftMs: number, response: Promise<PartnerResponse>) => {
    observed++;
    own.abandon(leftMs);
    const stop = () => {
      observed--;
      own.cancel('late');
    };
    response.then(stop, stop);
  };

  return (call, cancellation, isTest) => {
    if (isTest) return callPartner(call, cancellation, isTest);
    const startedAtMs = nowMs();
    const own = new Cancellation();
    let hasEnded = false;
    const response = callPartner(call, own, isTest);
    return new Promise((resolve, reject) => {
      response.then((ended) => {
        hasEnded = true;
        resolve(ended);
      }, reject);
      cancellation.onCancel((reason) => {
        if (hasEnded || own.reason !== undefined) return;
        const leftMs = maxCallMs - (nowMs() - startedAtMs);
        if (reason === 'timeout' || observed >= maxObserved || leftMs <= 0) return own.cancel(reason);
        observe(own, leftMs, response);
        resolve({ result: reason });
      });
    });
  };
}

/** Every call that was made counts once. An error ends the wait for a partner as any other response does. */
export function withResponseTimes(callPartner: CallPartner, times: ResponseTimes, nowMs: () => number): CallPartner {
  return async (call, cancellation, isTest) => {
    if (isTest) return callPartner(call, cancellation, isTest);
    const startedAtMs = nowMs();
    let isCounted = false;
    cancellation.onAbandon(() => {
      const durationMs = nowMs() - startedAtMs;
      isCounted = times.isOver(durationMs);
      if (isCounted) times.cancelled(durationMs); // nothing more can be learned from it
    });
    const response = await callPartner(call, cancellation, isTest);
    if (response.result === 'skipped' || isCounted) return response;
    if (response.result === 'late' || response.result === 'timeout') times.cancelled(nowMs() - startedAtMs);
    else times.ended(nowMs() - startedAtMs);
    return response;
  };
}
