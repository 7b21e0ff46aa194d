/** Asks the limiter for every request, whatever it asks for, through express-rate-limit. */
import type { Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { failed, type Outcome } from '../exchange/outcome.ts';
import { BucketStore } from '../limits/bucket-store.ts';
import type { Limiter } from '../limits/limiter.ts';

/** In which buckets refill; express-rate-limit wants to know it, the verdicts bring their own times. */
const windowMs = 1000;

export function admit(
  limiter: Limiter,
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
    keyGenerator: ({ visit }) => {
      const { reading, claim } = visit;
      if (reading && 'value' in reading) claim.publisher = publisherOf(reading.value);
      return store.open(visit);
    },
    limit: ({ visit }) => visit.verdict!.limit,
    handler: (request, response) => conclude(request, response, failed(`limit.${request.visit.verdict!.scope}`)),
  });
}

/** Before validation, so from any JSON: an id that is empty or no string counts as none. */
function publisherOf(body: unknown): string | undefined {
  const { site, app } = (body ?? {}) as Record<string, { publisher?: { id?: unknown } } | undefined>;
  return usable(site?.publisher?.id) ?? usable(app?.publisher?.id);
}

const usable = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);
