/** An overloaded worker does not listen: its connections go to other workers, or the kernel refuses them, which costs nothing. */
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, the door opens for so many connections, then for twice as many, and so on. */
const firstAllowance = 16;
/** From here on it stays open. */
const lastAllowance = 8_192;
const intervalMs = 100;

export class Door {
  readonly #server: Server;
  readonly #control: Pick<Control, 'refusesConnections'>;
  readonly #isDraining: () => boolean;
  #address: AddressInfo | undefined;
  /** How many connections may still come in this interval. */
  #allowance = Infinity;
  #nextAllowance = firstAllowance;
  #changedAtMs = 0;
  #isShut = false;

  constructor(server: Server, control: Pick<Control, 'refusesConnections'>, isDraining: () => boolean) {
    this.#server = server;
    this.#control = control;
    this.#isDraining = isDraining;
    server.on('listening', () => (this.#address = server.address() as AddressInfo));
    server.on('connection', () => {
      this.#allowance--;
      if (this.#allowance <= 0) this.#close();
    });
  }

  get isShut(): boolean {
    return this.#isShut;
  }

  endTurn(nowMs: number): void {
    if (this.#control.refusesConnections) {
      this.#allowance = 0;
      this.#nextAllowance = firstAllowance;
      this.#changedAtMs = nowMs;
      this.#close();
    } else if (this.#allowance !== Infinity && nowMs - this.#changedAtMs >= intervalMs) {
      this.#changedAtMs = nowMs;
      this.#allowance = this.#nextAllowance > lastAllowance ? Infinity : this.#nextAllowance;
      this.#nextAllowance *= 2;
      this.#open();
    }
  }

  /** http.Server's own close() would close idle connections, too. */
  #close(): void {
    if (!this.#server.listening || this.#isDraining()) return;
    this.#isShut = true;
    NetServer.prototype.close.call(this.#server);
  }

  #open(): void {
    if (this.#server.listening || this.#isDraining() || !this.#address) return;
    this.#isShut = false;
    this.#server.listen(this.#address.port, this.#address.address);
  }
}
