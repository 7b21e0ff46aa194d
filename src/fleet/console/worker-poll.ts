/** Requests what the workers keep for the console. */
import type { ConsoleReply } from '../../observe/console/worker-console.ts';
import type { MessageToWorker } from '../messages.ts';

/** The part of the fleet that a poll needs. */
export interface PolledFleet {
  readonly readyIds: number[];
  broadcast(message: MessageToWorker): void;
}

type ValueOf<Of extends ConsoleReply['of']> = Extract<ConsoleReply, { of: Of }>['value'];

export class WorkerPoll<Of extends ConsoleReply['of']> {
  readonly #fleet: PolledFleet;
  readonly #of: Of;
  readonly #timeoutMs: number;
  #pending = new Set<number>();
  #values = new Map<number, ValueOf<Of>>();
  #finish: () => void = () => {};
  #poll: Promise<Map<number, ValueOf<Of>>> | undefined;

  constructor(fleet: PolledFleet, of: Of, timeoutMs: number) {
    this.#fleet = fleet;
    this.#of = of;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves with the values by worker, without those that did not reply in time. Concurrent calls share one poll. */
  run(): Promise<Map<number, ValueOf<Of>>> {
    this.#poll ??= this.#pollWorkers().finally(() => (this.#poll = undefined));
    return this.#poll;
  }

  receive(worker: number, reply: ConsoleReply): void {
    if (reply.of !== this.#of) return;
    this.#values.set(worker, reply.value as ValueOf<Of>);
    this.#stopWaitingFor(worker);
  }

  /** The worker has exited: no poll waits for it, or returns its value. */
  forget(worker: number): void {
    this.#values.delete(worker);
    this.#stopWaitingFor(worker);
  }

  #stopWaitingFor(worker: number): void {
    if (this.#pending.delete(worker) && this.#pending.size === 0) this.#finish();
  }

  async #pollWorkers(): Promise<Map<number, ValueOf<Of>>> {
    this.#pending = new Set(this.#fleet.readyIds);
    this.#values = new Map();
    if (this.#pending.size === 0) return this.#values;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#timeoutMs);
    this.#finish = resolve;
    this.#fleet.broadcast({ kind: 'console-request', of: this.#of });
    await promise;
    clearTimeout(timer);
    return this.#values;
  }
}
