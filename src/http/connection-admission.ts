/** Refuses new connections while the worker is overloaded, and then accepts them again in a slow start. */
import type { Server } from 'node:http';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, so many connections are accepted per interval, then twice as many, and so on. */
const firstAllowance = 16;
/** Above it, all are accepted. */
const lastAllowance = 8_192;
const intervalMs = 100;

/** At 0, node:net closes new connections right after it has accepted them, before node:http creates anything for them. */
type LimitedServer = Pick<Server, 'maxConnections'>;

export class ConnectionAdmission {
  readonly #server: LimitedServer;
  readonly #control: Pick<Control, 'refusesConnections'>;
  /** How many connections are still accepted in this interval. */
  #allowance = Infinity;
  #nextAllowance = firstAllowance;
  #changedAtMs = 0;

  constructor(server: LimitedServer, control: Pick<Control, 'refusesConnections'>) {
    this.#server = server;
    this.#control = control;
  }

  countConnection(): void {
    this.#allowance--;
    if (this.#allowance <= 0) this.#server.maxConnections = 0;
  }

  endTurn(nowMs: number): void {
    if (this.#control.refusesConnections) {
      this.#allowance = 0;
      this.#nextAllowance = firstAllowance;
      this.#changedAtMs = nowMs;
      this.#server.maxConnections = 0;
    } else if (this.#allowance !== Infinity && nowMs - this.#changedAtMs >= intervalMs) {
      this.#changedAtMs = nowMs;
      this.#allowance = this.#nextAllowance > lastAllowance ? Infinity : this.#nextAllowance;
      this.#nextAllowance *= 2;
      this.#server.maxConnections = Infinity;
    }
  }
}
