/** Asks the limiter for every request, whatever it asks for, through express-rate-limit: it writes headers and 429s. */
import type { Request, RequestHandler, Response } from 'express';
import { type ClientRateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { failed, type Outcome } from '../exchange/outcome.ts';
import type { Limiter } from '../limits/limiter.ts';
import { clientAddress } from './client-address.ts';

/** In which buckets refill; express-rate-limit wants to know it, the verdicts bring their own times. */
const windowMs = 1000;

export function admit(
  limiter: Limiter,
  conclude: (request: Request, response: Response, outcome: Outcome) => void,
): RequestHandler {
  const tickets = new TicketStore(limiter);
  return rateLimit({
    windowMs,
    store: tickets,
    legacyHeaders: true,
    standardHeaders: false,
    validate: false,
    keyGenerator: (request) => tickets.open(request),
    limit: (request) => request.verdict!.limit,
    // A bucket always has a token again within one refill interval, which is a second at the most.
    retryAfter: 1,
    handler: (request, response) => conclude(request, response, failed(`limit.${request.verdict!.scope}`)),
  });
}

/** A store is given nothing but a key: the key is a ticket number, by which it finds the request to decide on. */
class TicketStore implements Store {
  readonly localKeys = true;
  readonly #limiter: Limiter;
  readonly #open = new Map<string, Request>();
  #issued = 0;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  open(request: Request): string {
    const ticket = String(this.#issued++);
    this.#open.set(ticket, request);
    return ticket;
  }

  async increment(ticket: string): Promise<ClientRateLimitInfo> {
    const request = this.#open.get(ticket)!;
    this.#open.delete(ticket);
    const verdict = await this.#limiter.decide({ ip: clientAddress(request), publisher: publisherOf(request) });
    request.verdict = verdict;
    const totalHits = verdict.admitted ? verdict.limit - verdict.remaining : verdict.limit + 1;
    return { totalHits, resetTime: new Date(Math.ceil(verdict.resetAtMs)) };
  }

  /** Charges are final: nothing is given back, nothing reset from here. */
  async decrement(): Promise<void> {}
  async resetKey(): Promise<void> {}
}

/** Before validation, so from any JSON: an id that is empty or no string counts as none. */
function publisherOf({ reading }: Request): string | undefined {
  if (!reading || !('value' in reading)) return undefined;
  const { site, app } = (reading.value ?? {}) as Record<string, { publisher?: { id?: unknown } } | undefined>;
  return usable(site?.publisher?.id) ?? usable(app?.publisher?.id);
}

const usable = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);
