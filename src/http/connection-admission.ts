/** In overload by new connections: some are accepted, all others that wait are closed, and so on; afterwards a slow start. */
import type { Server } from 'node:http';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, so many connections are accepted per interval, then twice as many, and so on. */
const firstAllowance = 16;
/** Above it, all are accepted. */
const lastAllowance = 8_192;
const intervalMs = 100;
/** In overload: connections are accepted for what is served meanwhile, and for no longer. Those that wait grow old. */
const acceptMs = 25;
const minAccepted = 4;
/** Then those that wait are closed, because the kernel keeps their order: until none is left, or for so long. */
const maxDrainMs = 25;

/** At 0, node:net closes new connections right after it has accepted them, before node:http creates anything for them. */
type LimitedServer = Pick<Server, 'maxConnections'>;

type State = 'open' | 'accepting' | 'draining' | 'starting';

export class ConnectionAdmission {
  readonly #server: LimitedServer;
  readonly #control: Pick<Control, 'refusesConnections' | 'throughput'>;
  #state: State = 'open';
  /** How many connections are still accepted in this phase. */
  #allowance = Infinity;
  #nextAllowance = firstAllowance;
  #changedAtMs = 0;
  #hasDropped = false;

  constructor(server: LimitedServer, control: Pick<Control, 'refusesConnections' | 'throughput'>) {
    this.#server = server;
    this.#control = control;
  }

  /** While it is true, no request starts: libuv accepts one connection per turn, so that turns must be short. */
  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  countConnection(): void {
    this.#allowance--;
    if (this.#allowance <= 0) this.#server.maxConnections = 0;
  }

  countDropped(): void {
    this.#hasDropped = true;
  }

  endTurn(nowMs: number): void {
    if (this.#control.refusesConnections) this.#refuse(nowMs);
    else if (this.#state !== 'open') this.#start(nowMs);
    this.#hasDropped = false;
  }

  #refuse(nowMs: number): void {
    const elapsedMs = nowMs - this.#changedAtMs;
    if (this.#state === 'draining') {
      if (this.#hasDropped && elapsedMs < maxDrainMs) return;
      this.#change('accepting', nowMs, Math.max(minAccepted, this.#control.throughput * acceptMs));
    } else if (this.#state !== 'accepting' || this.#allowance <= 0 || elapsedMs >= acceptMs) {
      this.#change('draining', nowMs, 0);
      this.#nextAllowance = firstAllowance;
    }
  }

  #start(nowMs: number): void {
    if (this.#state === 'starting' && nowMs - this.#changedAtMs < intervalMs) return;
    const isLast = this.#nextAllowance > lastAllowance;
    this.#change(isLast ? 'open' : 'starting', nowMs, isLast ? Infinity : this.#nextAllowance);
    this.#nextAllowance *= 2;
  }

  #change(state: State, nowMs: number, allowance: number): void {
    this.#state = state;
    this.#changedAtMs = nowMs;
    this.#allowance = allowance;
    this.#server.maxConnections = allowance <= 0 ? 0 : Infinity;
  }
}
