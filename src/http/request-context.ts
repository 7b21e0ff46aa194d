/** The state of one request while it is handled: `request.context`. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { RateLimiter, RateLimitKeys, RateLimitResult } from '../limits/rate-limiter.ts';
import { startTrace } from '../trace/start-trace.ts';
import type { RequestTrace, Tracer } from '../trace/tracer.ts';
import { checkHead } from './check-head.ts';
import type { ReadAddress } from './client-address.ts';
import type { Slot } from './concurrency-limiter.ts';
import type { BodyResult } from './read-body.ts';
import type { BodyReceiver } from './receive-body.ts';

export class RequestContext {
  readonly requestId: string;
  /** On the clock of performance.now(). */
  readonly arrivedAtMs: number;
  bodyReadAtMs: number;
  readonly rateLimitKeys: RateLimitKeys = { ip: '', publisher: undefined };
  /** Set before the body is read if the client is known to be over its limit. */
  rateLimit: RateLimitResult | undefined = undefined;
  slot: Slot | undefined = undefined;
  /** Absent if the body is not read: another path or method, a client over its limit, or one that has left. */
  body: BodyResult | undefined = undefined;
  /** The work that the body causes waits for its turn. */
  isLarge = false;
  isBodyDiscarded = false;
  /** Set while the body is received, and afterwards. */
  bodyReceiver: Pick<BodyReceiver, 'reject'> | undefined = undefined;
  /** Undefined if the caller sent no valid `traceparent` and tracing is off. */
  trace: RequestTrace | undefined = undefined;
  /** Set when the request has been counted. */
  isObserved = false;

  constructor(requestId: string, arrivedAtMs: number) {
    this.requestId = requestId;
    this.arrivedAtMs = arrivedAtMs;
    this.bodyReadAtMs = arrivedAtMs;
  }
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}

/** The first middleware: whatever happens to the request afterwards, its response has an id. */
export const requestContext =
  (limiter: Pick<RateLimiter, 'cachedRejection'>, readAddress: ReadAddress, tracer?: Tracer): RequestHandler =>
  (request, _response, next) => {
    const context = new RequestContext(randomUUID(), performance.now());
    request.context = context;
    context.trace = startTrace(request, context.arrivedAtMs, tracer);
    context.rateLimitKeys.ip = readAddress(request);
    context.body = checkHead(request);
    context.rateLimit = limiter.cachedRejection(context.rateLimitKeys);
    next();
  };
