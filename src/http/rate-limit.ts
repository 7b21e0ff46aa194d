/** Asks the limiter for every request, whatever it asks for, through express-rate-limit. */
import type { Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Outcome } from '../exchange/outcome.ts';
import { failed } from './http-errors.ts';
import { BucketStore } from '../limits/bucket-store.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';

/** In which buckets refill; express-rate-limit wants to know it, the verdicts bring their own times. */
const windowMs = 1000;

export function admit(
  limiter: RateLimiter,
  conclude: (request: Request, response: Response, outcome: Outcome) => void,
): RequestHandler {
  const store = new BucketStore(limiter);
  return rateLimit({
    windowMs,
    store,
    // Every answer writes its headers once and at once, these among them.
    legacyHeaders: false,
    standardHeaders: false,
    validate: false,
    keyGenerator: ({ context }) => {
      const { body, rateLimitKeys } = context;
      if (body && 'value' in body) rateLimitKeys.publisher = publisherOf(body.value);
      return store.open(context);
    },
    limit: ({ context }) => context.rateLimit!.limit,
    handler: (request, response) => conclude(request, response, failed(`limit.${request.context.rateLimit!.scope}`)),
  });
}

/** Before validation, so from any JSON: an id that is empty or no string counts as none. */
function publisherOf(body: unknown): string | undefined {
  const { site, app } = (body ?? {}) as Record<string, { publisher?: { id?: unknown } } | undefined>;
  return usable(site?.publisher?.id) ?? usable(app?.publisher?.id);
}

const usable = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);
