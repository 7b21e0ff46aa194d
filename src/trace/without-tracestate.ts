/** A trace whose calls carry no `tracestate`: an opaque text of the caller could tell partners what redaction removed. */
import type { AuctionTrace } from './tracer.ts';

export const withoutTracestate = (trace: AuctionTrace): AuctionTrace => ({
  stage: (name, durationMs) => trace.stage(name, durationMs),
  startCall: (partner, method) => {
    const call = trace.startCall(partner, method);
    const { tracestate: _, ...headers } = call.headers;
    return { headers, end: (result, status) => call.end(result, status) };
  },
});
