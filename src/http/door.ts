/** An overloaded worker closes new connections, and lets them in again step by step. */
import type { Server } from 'node:http';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, the door opens for so many connections, then for twice as many, and so on. */
const firstAllowance = 16;
/** From here on it stays open. */
const lastAllowance = 8_192;
const intervalMs = 100;

/** What the door opens and closes. */
export interface Listener {
  open: () => void;
  close: () => void;
}

export class Door {
  readonly #listener: Listener;
  readonly #control: Pick<Control, 'refusesConnections'>;
  /** How many connections may still come in this interval. */
  #allowance = Infinity;
  #nextAllowance = firstAllowance;
  #changedAtMs = 0;

  constructor(listener: Listener, control: Pick<Control, 'refusesConnections'>) {
    this.#listener = listener;
    this.#control = control;
  }

  countConnection(): void {
    this.#allowance--;
    if (this.#allowance <= 0) this.#listener.close();
  }

  endTurn(nowMs: number): void {
    if (this.#control.refusesConnections) {
      this.#allowance = 0;
      this.#nextAllowance = firstAllowance;
      this.#changedAtMs = nowMs;
      this.#listener.close();
    } else if (this.#allowance !== Infinity && nowMs - this.#changedAtMs >= intervalMs) {
      this.#changedAtMs = nowMs;
      this.#allowance = this.#nextAllowance > lastAllowance ? Infinity : this.#nextAllowance;
      this.#nextAllowance *= 2;
      this.#listener.open();
    }
  }
}

/** Closes new connections right after they were accepted, before node:http creates anything for them. */
export const doorOf = (server: Server): Listener => ({
  open: () => (server.maxConnections = Infinity),
  close: () => (server.maxConnections = 0),
});
