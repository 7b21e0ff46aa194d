/** Limits how many wrong tokens are tried per minute, per address and in total. */

const windowMs = 60_000;
export const maxPerAddress = 10;
export const maxInTotal = 100;

export class LoginFailures {
  readonly #nowMs: () => number;
  #startedAtMs: number;
  #total = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
  }

  /** Until the minute is over, even the right token is rejected. */
  isLimited(address: string): boolean {
    if (this.#nowMs() - this.#startedAtMs >= windowMs) this.#reset();
    return this.#total >= maxInTotal || (this.#byAddress.get(address) ?? 0) >= maxPerAddress;
  }

  add(address: string): void {
    this.#total++;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
  }

  #reset(): void {
    this.#startedAtMs = this.#nowMs();
    this.#total = 0;
    this.#byAddress.clear();
  }
}
