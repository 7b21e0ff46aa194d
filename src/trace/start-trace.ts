/** Starts the trace of a request: a span if tracing is on, otherwise the caller's headers, passed on unchanged. */
import type { IncomingMessage } from 'node:http';
import { parseTraceContext, type TraceContext } from './trace-context.ts';
import type { CallTrace, RequestTrace, TraceHeaders, Tracer } from './tracer.ts';

/** Express sets `route` if the path and the method match. */
type RoutedRequest = Pick<IncomingMessage, 'method' | 'headers'> & { route?: { path: string } };

/** Undefined if there is nothing to trace. A request without the header costs one property look-up. */
export function startTrace(
  request: RoutedRequest,
  arrivedAtMs: number,
  tracer: Tracer | undefined,
): RequestTrace | undefined {
  const { method, headers, route } = request;
  const { traceparent } = headers;
  const caller = typeof traceparent === 'string' ? parseTraceContext(traceparent, headers.tracestate) : undefined;
  if (tracer) return tracer.start(caller, { method: method!, route: route?.path, arrivedAtMs });
  return caller && new ForwardedTrace(caller);
}

/** The recommendation lets a service that records no spans pass both headers on unchanged; the partner's parent is the caller. */
class ForwardedTrace implements RequestTrace, CallTrace {
  readonly traceId: string;
  readonly headers: TraceHeaders;

  constructor({ traceId, headers }: TraceContext) {
    this.traceId = traceId;
    this.headers = headers;
  }

  startCall(): CallTrace {
    return this;
  }

  stage(): void {}
  end(): void {}
}
