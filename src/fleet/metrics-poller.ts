/** Requests metrics from the workers: periodically, and for every scrape. */
import type { FleetMetrics } from '../observe/fleet-metrics.ts';
import type { Fleet } from './fleet.ts';
import type { MessageToPrimary } from './messages.ts';

/** For a worker that does not respond in time, the last snapshot is used. */
const timeoutMs = 1_000;

export class MetricsPoller {
  readonly #fleet: Fleet;
  readonly #metrics: FleetMetrics;
  #pending = new Set<number>();
  #finish: () => void = () => {};
  #poll: Promise<void> | undefined;

  constructor(fleet: Fleet, metrics: FleetMetrics) {
    this.#fleet = fleet;
    this.#metrics = metrics;
  }

  /** Resolves when every worker has responded or timed out; concurrent calls share one poll. */
  refresh(): Promise<void> {
    this.#poll ??= this.#pollWorkers().finally(() => (this.#poll = undefined));
    return this.#poll;
  }

  receive(worker: number, message: MessageToPrimary): void {
    if (message.kind === 'mode') this.#metrics.setMode(worker, message.mode);
    if (message.kind !== 'metrics-response') return;
    this.#metrics.setSnapshot(worker, message.snapshot);
    this.#settle(worker);
  }

  async onWorkerExit(worker: number, unexpected: boolean): Promise<void> {
    if (unexpected) this.#metrics.countUnexpectedExit();
    this.#settle(worker);
    await this.#metrics.retire(worker);
  }

  async #pollWorkers(): Promise<void> {
    this.#pending = new Set(this.#fleet.readyIds);
    if (this.#pending.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#finish = resolve;
    this.#fleet.broadcast({ kind: 'metrics-request' });
    await promise;
    clearTimeout(timer);
  }

  #settle(worker: number): void {
    this.#pending.delete(worker);
    if (this.#pending.size === 0) this.#finish();
  }
}
