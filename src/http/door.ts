/** An overloaded worker does not listen: its connections go to other workers, or the kernel refuses them, which costs nothing. */
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, the door opens for so many connections, then for twice as many, and so on. */
const firstAllowance = 16;
/** From here on it stays open. */
const lastAllowance = 8_192;
const intervalMs = 100;

/** What the door opens and closes. Both have no effect if it is in that state already. */
export interface Listener {
  open(): void;
  close(): void;
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

/** Keeps the connections that are open. A draining server does not listen again. */
export class ServerListener implements Listener {
  readonly #server: Server;
  readonly #isDraining: () => boolean;
  #address: AddressInfo | undefined;
  #isPaused = false;

  constructor(server: Server, isDraining: () => boolean) {
    this.#server = server;
    this.#isDraining = isDraining;
    server.on('listening', () => (this.#address = server.address() as AddressInfo));
  }

  /** Whether the server will listen again. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** http.Server's own close() would close idle connections, too. */
  close(): void {
    if (!this.#server.listening || this.#isDraining()) return;
    this.#isPaused = true;
    NetServer.prototype.close.call(this.#server);
  }

  open(): void {
    if (!this.#isPaused || this.#isDraining()) return;
    this.#isPaused = false;
    this.#server.listen(this.#address!.port, this.#address!.address);
  }
}
