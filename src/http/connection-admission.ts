/** Refuses most new connections while the worker is overloaded, and then accepts them again in a slow start. */
import type { Server } from 'node:http';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, so many connections are accepted per interval, then twice as many, and so on. */
const firstAllowance = 16;
/** Above it, all are accepted. */
const lastAllowance = 8_192;
const intervalMs = 100;
/** While connections are refused, so many are accepted per request that is served: clients may have no other way in. */
const perServedRequest = 0.5;

/** At 0, node:net closes new connections right after it has accepted them, before node:http creates anything for them. */
type LimitedServer = Pick<Server, 'maxConnections'>;

export class ConnectionAdmission {
  readonly #server: LimitedServer;
  readonly #control: Pick<Control, 'refusesConnections' | 'throughput'>;
  /** How many connections are still accepted in this interval. */
  #allowance = Infinity;
  #nextAllowance = firstAllowance;
  #changedAtMs = 0;

  constructor(server: LimitedServer, control: Pick<Control, 'refusesConnections' | 'throughput'>) {
    this.#server = server;
    this.#control = control;
  }

  countConnection(): void {
    this.#allowance--;
    if (this.#allowance <= 0) this.#server.maxConnections = 0;
  }

  endTurn(nowMs: number): void {
    const { refusesConnections, throughput } = this.#control;
    if (refusesConnections) {
      if (this.#allowance === Infinity) this.#allowance = 0;
      else if (nowMs - this.#changedAtMs >= intervalMs) {
        this.#changedAtMs = nowMs;
        this.#allowance = perServedRequest * throughput * intervalMs;
      }
      this.#nextAllowance = firstAllowance;
      this.#server.maxConnections = this.#allowance < 1 ? 0 : Infinity;
    } else if (this.#allowance !== Infinity && nowMs - this.#changedAtMs >= intervalMs) {
      this.#changedAtMs = nowMs;
      this.#allowance = this.#nextAllowance > lastAllowance ? Infinity : this.#nextAllowance;
      this.#nextAllowance *= 2;
      this.#server.maxConnections = Infinity;
    }
  }
}
