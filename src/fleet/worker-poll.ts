/** Requests a value from every ready worker. */
import type { MessageToWorker } from './messages.ts';

/** The part of the fleet that a poll needs. */
export interface PolledFleet {
  readonly readyIds: number[];
  broadcast(message: MessageToWorker): void;
}

export class WorkerPoll<Value> {
  readonly #fleet: PolledFleet;
  readonly #request: MessageToWorker;
  readonly #timeoutMs: number;
  #pending = new Set<number>();
  #values = new Map<number, Value>();
  #finish: () => void = () => {};
  #poll: Promise<Map<number, Value>> | undefined;

  constructor(fleet: PolledFleet, request: MessageToWorker, timeoutMs: number) {
    this.#fleet = fleet;
    this.#request = request;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves with the values by worker, without those that did not reply in time. Concurrent calls share one poll. */
  run(): Promise<Map<number, Value>> {
    this.#poll ??= this.#pollWorkers().finally(() => (this.#poll = undefined));
    return this.#poll;
  }

  receive(worker: number, value: Value): void {
    this.#values.set(worker, value);
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

  async #pollWorkers(): Promise<Map<number, Value>> {
    this.#pending = new Set(this.#fleet.readyIds);
    this.#values = new Map();
    if (this.#pending.size === 0) return this.#values;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#timeoutMs);
    this.#finish = resolve;
    this.#fleet.broadcast(this.#request);
    await promise;
    clearTimeout(timer);
    return this.#values;
  }
}
