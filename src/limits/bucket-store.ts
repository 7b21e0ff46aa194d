/** The store that express-rate-limit asks: rate-limit-redis's, with one question for all three buckets of a request. */
import { RedisStore } from 'rate-limit-redis';
import type { RateLimitKeys, RateLimiter, RateLimitResult } from './rate-limiter.ts';

/** A request's way through admission: opened with its rateLimitKeys, filled with the rateLimit on it. */
export interface Ticket {
  rateLimitKeys: RateLimitKeys;
  rateLimit: RateLimitResult | undefined;
}

/** express-rate-limit hands a store nothing but a key: here the key is a ticket's number. */
export class BucketStore extends RedisStore {
  readonly localKeys = true;
  readonly #limiter: RateLimiter;
  readonly #open = new Map<string, Ticket>();
  #issued = 0;

  constructor(limiter: RateLimiter) {
    super({ sendCommand: () => Promise.reject(new Error('the buckets have a connection of their own')) });
    this.#limiter = limiter;
  }

  /** Loads no scripts: the base class would keep a failure for ever. */
  override async init(): Promise<void> {}

  /** The key for a ticket, good for one increment. */
  open(ticket: Ticket): string {
    const key = String(this.#issued++);
    this.#open.set(key, ticket);
    return key;
  }

  /** Never rejects: express-rate-limit would drop the request. A rateLimit that the ticket has already stands. */
  override increment(key: string): ReturnType<RedisStore['increment']> {
    const ticket = this.#open.get(key)!;
    this.#open.delete(key);
    if (ticket.rateLimit) return Promise.resolve(toInfo(ticket.rateLimit));
    return new Promise((resolve) => {
      this.#limiter.decide(ticket.rateLimitKeys, (rateLimit) => {
        ticket.rateLimit = rateLimit;
        resolve(toInfo(rateLimit));
      });
    });
  }

  /** Charges are final. */
  override async decrement(): Promise<void> {}
  override async resetKey(): Promise<void> {}
}

/** As many hits as leave what is left; without a time, which only headers would need that are written elsewhere. */
const toInfo = ({ admitted, limit, remaining }: RateLimitResult): Awaited<ReturnType<RedisStore['increment']>> => ({
  totalHits: admitted ? limit - remaining : limit + 1,
  resetTime: undefined,
});
