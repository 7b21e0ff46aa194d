/** The port through which requests and partner calls are traced. Without OpenTelemetry there is no tracer. */
import type { TraceContext } from './trace-context.ts';

/** The headers of a call that belongs to a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

export interface Tracer {
  /** Starts the span of a request. `caller` is the trace that its headers name. */
  start(caller: TraceContext | undefined, request: RequestStart): RequestTrace;
}

export interface RequestStart {
  method: string;
  /** The path of the route; undefined if no route matches. Other paths are not recorded, because callers choose them. */
  route: string | undefined;
  /** On the clock of performance.now(). */
  arrivedAtMs: number;
}

/** The trace of one request. */
export interface RequestTrace extends AuctionTrace {
  readonly traceId: string;
  end(end: RequestEnd): void;
}

/** What an auction needs of the trace. */
export interface AuctionTrace {
  /** The time that the request spent in a stage. */
  stage(name: string, durationMs: number): void;
  startCall(partner: string, method: string): CallTrace;
}

/** Never an address, a user id or a consent string. */
export interface RequestEnd {
  requestId: string;
  outcome: string;
  /** Undefined if the client has left. */
  status: number | undefined;
  errorCode: string | undefined;
  /** The rate limit that decided. */
  limitScope: string | undefined;
}

export interface CallTrace {
  readonly headers: TraceHeaders;
  /** `status` is absent if the partner sent no response, or was not called. */
  end(result: string, status: number | undefined): void;
}
