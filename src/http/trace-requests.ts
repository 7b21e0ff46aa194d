/** Ends the span of each request when the request has been observed. Only used if tracing is on. */
import type { RequestObserver } from './request-observer.ts';

export const traceRequests = (observer: RequestObserver, nowMs: () => number): RequestObserver => ({
  ...observer,
  admitted(request) {
    observer.admitted(request);
    const { trace, arrivedAtMs, startedAtMs, bodyReadAtMs } = request.context;
    trace?.stage('queue', startedAtMs - arrivedAtMs);
    trace?.stage('read', bodyReadAtMs - startedAtMs);
    trace?.stage('admit', nowMs() - bodyReadAtMs);
  },
  finished(request, response, finished) {
    observer.finished(request, response, finished);
    const { trace, requestId, rateLimit } = request.context;
    const { outcome } = finished;
    trace?.end({
      requestId,
      outcome: outcome.kind,
      status: response.headersSent ? response.statusCode : undefined,
      errorCode: 'error' in outcome ? outcome.error.code : undefined,
      limitScope: rateLimit?.scope,
    });
  },
});
