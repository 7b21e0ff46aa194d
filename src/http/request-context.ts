/** The state of one request while it is handled: `request.context`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { FailedOutcome } from '../exchange/outcome.ts';
import type { RateLimiter, RateLimitKeys, RateLimitResult } from '../limits/rate-limiter.ts';
import type { Turn } from '../overload/event-loop-clock.ts';
import type { ClientAddress } from '../publishers/publisher-directory.ts';
import { startTrace } from '../trace/start-trace.ts';
import type { RequestTrace, Tracer } from '../trace/tracer.ts';
import type { Admission } from './admission.ts';
import { checkHead } from './check-head.ts';
import { addressKey } from './client-address.ts';
import type { Slot } from './concurrency-limiter.ts';
import type { BodyResult } from './read-body.ts';
import type { BodyReceiver } from './receive-body.ts';

export class RequestContext {
  readonly requestId: string;
  /** When the first bytes could have been read, on the clock of performance.now(). */
  readonly arrivedAtMs: number;
  /** When the exchange came to the request. */
  readonly startedAtMs: number;
  /** What the worker's time is charged to: behind a proxy, the proxy's. */
  readonly connectionAddress: string;
  /** Set while the request counts as in progress for admission control: the turn that has read its body. */
  inProgressSince: Turn | undefined = undefined;
  bodyReadAtMs: number;
  rateLimitKeys: RateLimitKeys = { ip: '', publisher: undefined };
  /** Set before the body is read if the client is known to be over its limit. */
  rateLimit: RateLimitResult | undefined = undefined;
  slot: Slot | undefined = undefined;
  /** Absent if the body is not read: another path or method, a client over its limit, or one that has left. */
  body: BodyResult | undefined = undefined;
  /** The work that the body causes waits for its turn. */
  isPaced = false;
  /** What the request has taken of the worker's time, as far as it was measured. */
  costMs = 0;
  isBodyDiscarded = false;
  /** Set while the body is received, and afterwards. */
  bodyReceiver: Pick<BodyReceiver, 'reject'> | undefined = undefined;
  /** Undefined if the caller sent no valid `traceparent` and tracing is off. */
  trace: RequestTrace | undefined = undefined;
  /** What the publishers file says of the client's address; undefined without a file. */
  client: ClientAddress | undefined = undefined;
  /** Set if the request may not send its publisher id. */
  unauthorized: { publisher: string; outcome: FailedOutcome } | undefined = undefined;
  /** Set when the request has been counted. */
  isObserved = false;

  constructor(requestId: string, arrivedAtMs: number, startedAtMs: number, connectionAddress: string) {
    this.requestId = requestId;
    this.arrivedAtMs = arrivedAtMs;
    this.startedAtMs = startedAtMs;
    this.connectionAddress = connectionAddress;
    this.bodyReadAtMs = startedAtMs;
  }

  /** A connection keeps its latest request until the next one, so what is large must go when the response is written. */
  forgetBody(): void {
    this.body = undefined;
    this.bodyReceiver = undefined;
  }
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}

/** Sets the address in the rate-limit keys, and what the publishers file says of it. */
export type ReadClient = (request: IncomingMessage, context: RequestContext) => void;

/** The first middleware: whatever happens to the request afterwards, its response has an id. */
export const requestContext =
  (
    limiter: Pick<RateLimiter, 'cachedRejection'>,
    readClient: ReadClient,
    { clock, usage }: Pick<Admission, 'clock' | 'usage'>,
    tracer?: Tracer,
  ): RequestHandler =>
  (request, _response, next) => {
    const arrivedAtMs = request.socket.heldSinceMs ?? clock.turnStartMs();
    const nowMs = clock.nowMs();
    const context = new RequestContext(randomUUID(), arrivedAtMs, nowMs, addressKey(request.socket.remoteAddress));
    request.context = context;
    context.trace = startTrace(request, context.arrivedAtMs, tracer);
    readClient(request, context);
    usage.start(context.connectionAddress, nowMs);
    context.body = checkHead(request);
    context.rateLimit = limiter.cachedRejection(context.rateLimitKeys);
    next();
  };
