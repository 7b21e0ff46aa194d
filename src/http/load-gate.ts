/** Sheds load: so many bid requests at once, and no more; and of those only so many from one address. */
import type { ServerResponse } from 'node:http';

export interface LoadLimits {
  /** Requests whose body is there and whose answer is not. */
  handling: number;
  /** Requests of one address, from their first byte: bodies that stall hold up only whoever sends them. */
  perAddress: number;
}

export class LoadGate {
  readonly #limits: LoadLimits;
  readonly #byAddress = new Map<string, number>();
  #handling = 0;

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** True where there is room; it is given back when the response closes, however that comes about. */
  enterReading(address: string, response: ServerResponse): boolean {
    const open = this.#byAddress.get(address) ?? 0;
    if (open >= this.#limits.perAddress) return false;
    this.#byAddress.set(address, open + 1);
    response.once('close', () => this.#leaveReading(address));
    return true;
  }

  /** Likewise, once the body is there. */
  enterHandling(response: ServerResponse): boolean {
    if (this.#handling >= this.#limits.handling) return false;
    this.#handling++;
    response.once('close', this.#leaveHandling);
    return true;
  }

  #leaveReading(address: string): void {
    const open = this.#byAddress.get(address)! - 1;
    if (open === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, open);
  }

  readonly #leaveHandling = (): void => {
    this.#handling--;
  };
}
