/** Applies the rate limits to every request, by express-rate-limit with a store on our token buckets. */
import type { Request, RequestHandler, Response } from 'express';
import {
  type IncrementResponse,
  rateLimit as expressRateLimit,
  type RateLimitInfo,
  type Store,
} from 'express-rate-limit';
import type { Outcome } from '../exchange/outcome.ts';
import type { RateLimiter, RateLimitResult } from '../limits/rate-limiter.ts';
import { TransientMap } from '../memory/transient-map.ts';
import { readPublisherId } from '../openrtb/publisher-id.ts';
import { failed } from './http-errors.ts';
import type { PublisherAccess } from './publisher-access.ts';
import type { RequestContext } from './request-context.ts';

declare global {
  namespace Express {
    interface Request {
      rateLimit?: RateLimitInfo;
    }
  }
}

/** The time in which an empty bucket refills. Required by express-rate-limit; results carry their own reset time. */
const windowMs = 1000;

/**
 * Charges the request and sets `request.rateLimit` and `request.context.rateLimit`. A rejected request ends with
 * `onRejected`; a defect of the limiter is passed to the error handler of Express. `access` is undefined without a
 * publishers file.
 */
export function rateLimit(
  limiter: RateLimiter,
  onRejected: (request: Request, response: Response, outcome: Outcome) => void,
  access?: PublisherAccess,
): RequestHandler {
  const store = new RateLimitStore(limiter);
  return expressRateLimit({
    windowMs,
    store,
    passOnStoreError: false,
    // respond.ts writes the X-RateLimit headers together with all others (decision 5).
    legacyHeaders: false,
    standardHeaders: false,
    // The checks of every request; those of the configuration stay on.
    validate: { positiveHits: false, singleCount: false, limit: false },
    keyGenerator: (request) => {
      const { context } = request;
      const { body, rateLimitKeys } = context;
      if (body && 'value' in body) rateLimitKeys.publisher = readPublisherId(body.value);
      access?.readPublisher(request, context);
      return store.enqueue(context);
    },
    limit: ({ context }) => context.rateLimit!.limit,
    handler: (request, response) => onRejected(request, response, failed(`limit.${request.context.rateLimit!.scope}`)),
  });
}

/** What the store reads from a request and writes back to it. */
type RateLimitContext = Pick<RequestContext, 'requestId' | 'rateLimitKeys' | 'rateLimit'>;

/** express-rate-limit passes a store nothing but the key: the id of the request, under which its context waits. */
export class RateLimitStore implements Store {
  /** The buckets may be shared, but the keys are of this store only. */
  readonly localKeys = true;
  readonly #limiter: RateLimiter;
  readonly #waiting = new TransientMap<string, RateLimitContext>();

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  /** The number of requests between `enqueue` and `increment`. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Returns the key to increment, exactly once. */
  enqueue(context: RateLimitContext): string {
    this.#waiting.set(context.requestId, context);
    return context.requestId;
  }

  /** Keeps a result that an earlier middleware has set: a cached rejection is not charged. */
  increment(key: string): Promise<IncrementResponse> {
    const context = this.#waiting.get(key);
    if (!context) throw new Error('no request waits under this key');
    this.#waiting.delete(key);
    if (context.rateLimit) return Promise.resolve(toResponse(context.rateLimit));
    return this.#limiter.decide(context.rateLimitKeys).then((result) => {
      context.rateLimit = result;
      return toResponse(result);
    });
  }

  /** Charges are final. */
  decrement(): void {}
  resetKey(): void {}
}

/** express-rate-limit rejects a request that has more hits than the limit: a rejected request counts as a hit, too. */
const toResponse = ({ admitted, limit, remaining, resetAtMs }: RateLimitResult): IncrementResponse => ({
  totalHits: admitted ? limit - remaining : limit + 1,
  resetTime: new Date(Math.ceil(resetAtMs)),
});
