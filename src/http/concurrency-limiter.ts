/** Sheds load: so many bid requests at once, and no more; and of those only so many from one address. */
import type { ServerResponse } from 'node:http';

export interface ConcurrencyLimits {
  /** Requests whose body is there and whose answer is not. */
  handling: number;
  /** Requests of one address, from their first byte: bodies that stall hold up only whoever sends them. */
  perAddress: number;
}

/** The requests of one address. */
interface ClientSlots {
  open: number;
}

/** A request's place behind the gate. */
export interface Slot {
  readonly crowd: ClientSlots;
  isHandled: boolean;
}

/** Addresses come back: those without a request are forgotten when there are this many, or twice as many as have one. */
const mostIdle = 10_000;

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #byAddress = new Map<string, ClientSlots>();
  #forgetAt = mostIdle;
  #handling = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Undefined where there is no room; a place is given back when the response closes, however that comes about. */
  enter(address: string, response: ServerResponse): Slot | undefined {
    const crowd = this.#byAddress.get(address) ?? this.#gather(address);
    if (crowd.open >= this.#limits.perAddress) return undefined;
    crowd.open++;
    const place: Slot = { crowd, isHandled: false };
    response.on('close', () => this.#leave(place));
    return place;
  }

  /** Once the body is there: true where it may be handled. */
  handle(place: Slot): boolean {
    if (this.#handling >= this.#limits.handling) return false;
    this.#handling++;
    place.isHandled = true;
    return true;
  }

  #leave({ crowd, isHandled }: Slot): void {
    if (isHandled) this.#handling--;
    crowd.open--;
  }

  #gather(address: string): ClientSlots {
    if (this.#byAddress.size >= this.#forgetAt) this.#forgetEmpty();
    const crowd = { open: 0 };
    this.#byAddress.set(address, crowd);
    return crowd;
  }

  #forgetEmpty(): void {
    for (const [address, { open }] of this.#byAddress) if (open === 0) this.#byAddress.delete(address);
    this.#forgetAt = Math.max(mostIdle, 2 * this.#byAddress.size);
  }
}
