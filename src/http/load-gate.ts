/** Sheds load: so many bid requests at once, and no more; and of those only so many from one address. */
import type { ServerResponse } from 'node:http';

export interface LoadLimits {
  /** Requests whose body is there and whose answer is not. */
  handling: number;
  /** Requests of one address, from their first byte: bodies that stall hold up only whoever sends them. */
  perAddress: number;
}

/** A request's place behind the gate. */
export interface Place {
  readonly address: string;
  isHandled: boolean;
}

export class LoadGate {
  readonly #limits: LoadLimits;
  readonly #byAddress = new Map<string, number>();
  #handling = 0;

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** Undefined where there is no room; a place is given back when the response closes, however that comes about. */
  enter(address: string, response: ServerResponse): Place | undefined {
    const open = this.#byAddress.get(address) ?? 0;
    if (open >= this.#limits.perAddress) return undefined;
    this.#byAddress.set(address, open + 1);
    const place: Place = { address, isHandled: false };
    response.on('close', () => this.#leave(place));
    return place;
  }

  /** Once the body is there: true where it may be handled. */
  handle(place: Place): boolean {
    if (this.#handling >= this.#limits.handling) return false;
    this.#handling++;
    place.isHandled = true;
    return true;
  }

  #leave({ address, isHandled }: Place): void {
    if (isHandled) this.#handling--;
    const open = this.#byAddress.get(address)! - 1;
    if (open === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, open);
  }
}
