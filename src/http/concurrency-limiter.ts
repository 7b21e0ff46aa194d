/** Limits the bid requests in progress per worker, and among them those of one client address. */
import type { RequestHandler } from 'express';
import type { LimitOverrides } from '../limits/rate-limiter.ts';
import { ClientCost, type CostClock } from './client-cost.ts';

export interface ConcurrencyLimits {
  /** Requests whose body has been read and whose response has not been written. */
  handling: number;
  /** Requests of one address, from their first byte: a client that stalls its bodies delays no other client. */
  perAddress: number;
}

/** One client address. */
interface Client {
  /** How many slots it holds. */
  open: number;
  readonly cost: ClientCost;
}

/** A request's slot, from its first byte until its response is written. It does not wait until the client has read it. */
export interface Slot {
  readonly client: Client;
  isHandling: boolean;
  isReleased: boolean;
  /** What the cost of the request is measured by. */
  readonly costClock: CostClock;
}

/** Addresses without a request are removed when there are this many, or twice as many as have one. */
const maxIdleClients = 10_000;

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #clients = new Map<string, Client>();
  #sweepAt = maxIdleClients;
  #handling = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Undefined if the address has no slot left. Every slot must be released. `override` is the address's own rate limit. */
  acquire(address: string, override?: LimitOverrides['ip']): Slot | undefined {
    const client = this.#clients.get(address) ?? this.#addClient(address);
    if (client.open >= this.#limits.perAddress && client.open >= slotsFor(override)) return undefined;
    client.open++;
    return { client, isHandling: false, isReleased: false, costClock: client.cost.clock };
  }

  /** Called when the body has been read: whether the request may be handled. A slot whose client has left meanwhile does not count. */
  startHandling(slot: Slot): boolean {
    if (slot.isReleased) return true;
    if (this.#handling >= this.#limits.handling) return false;
    this.#handling++;
    slot.isHandling = true;
    return true;
  }

  /** Has no effect the second time. */
  release(slot: Slot): void {
    if (slot.isReleased) return;
    slot.isReleased = true;
    if (slot.isHandling) this.#handling--;
    slot.client.open--;
  }

  #addClient(address: string): Client {
    if (this.#clients.size >= this.#sweepAt) this.#sweep();
    const client = { open: 0, cost: new ClientCost() };
    this.#clients.set(address, client);
    return client;
  }

  #sweep(): void {
    for (const [address, { open }] of this.#clients) if (open === 0) this.#clients.delete(address);
    this.#sweepAt = Math.max(maxIdleClients, 2 * this.#clients.size);
  }
}

/** As many slots as tokens. An address that is exempt from its rate limit is limited only with all others. */
function slotsFor(override: LimitOverrides['ip']): number {
  if (override === undefined) return 0;
  return override === 'exempt' ? Infinity : override;
}

/**
 * A request without a slot passes the rate limiter first, which takes precedence, and then gets 503. The slot is released
 * when the response is written; if there is none, when the connection closes.
 */
export const concurrencyLimit =
  (limiter: ConcurrencyLimiter): RequestHandler =>
  ({ context }, response, next) => {
    if (!context.rateLimit && !context.body) {
      const slot = limiter.acquire(context.rateLimitKeys.ip, context.rateLimitKeys.overrides?.ip);
      if (slot) response.on('close', () => limiter.release(slot));
      else context.body = { error: 'server.clientBusy' };
      context.slot = slot;
    }
    next();
  };
