/** Asks the workers for their metrics: now and then, and whenever somebody wants to read them. */
import type { FleetMetrics } from '../observe/fleet-metrics.ts';
import type { Fleet } from './fleet.ts';
import type { ToPrimary } from './messages.ts';

/** A worker that does not answer for this long is told of as it was last seen. */
const patienceMs = 1_000;

export class MetricsPoll {
  readonly #fleet: Fleet;
  readonly #metrics: FleetMetrics;
  #awaited = new Set<number>();
  #settle: () => void = () => {};
  #round: Promise<void> | undefined;

  constructor(fleet: Fleet, metrics: FleetMetrics) {
    this.#fleet = fleet;
    this.#metrics = metrics;
  }

  /** Resolves when every worker has told; calls that come meanwhile share the round. */
  refresh(): Promise<void> {
    this.#round ??= this.#ask().finally(() => (this.#round = undefined));
    return this.#round;
  }

  /** What a worker says of itself; it needs no answer. */
  hear(worker: number, message: ToPrimary): undefined {
    if (message.kind === 'mode') this.#metrics.setMode(worker, message.mode);
    if (message.kind !== 'metrics!') return;
    this.#metrics.take(worker, message.snapshot);
    this.#stopWaitingFor(worker);
  }

  async gone(worker: number, unasked: boolean): Promise<void> {
    if (unasked) this.#metrics.died();
    this.#stopWaitingFor(worker);
    await this.#metrics.gone(worker);
  }

  async #ask(): Promise<void> {
    this.#awaited = new Set(this.#fleet.readyIds);
    if (this.#awaited.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    this.#settle = resolve;
    this.#fleet.broadcast({ kind: 'metrics?' });
    await promise;
    clearTimeout(timer);
  }

  #stopWaitingFor(worker: number): void {
    this.#awaited.delete(worker);
    if (this.#awaited.size === 0) this.#settle();
  }
}
