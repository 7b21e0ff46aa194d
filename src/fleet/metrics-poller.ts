/** Requests metrics from the workers: periodically, and for every scrape. */
import type { FleetMetrics } from '../observe/fleet-metrics.ts';
import type { MessageToPrimary } from './messages.ts';
import { type PolledFleet, WorkerPoll } from './worker-poll.ts';

/** For a worker that does not respond in time, the last snapshot is used. */
const timeoutMs = 1_000;

export class MetricsPoller {
  readonly #metrics: FleetMetrics;
  readonly #poll: WorkerPoll<void>;

  constructor(fleet: PolledFleet, metrics: FleetMetrics) {
    this.#metrics = metrics;
    this.#poll = new WorkerPoll(fleet, { kind: 'metrics-request' }, timeoutMs);
  }

  /** Resolves when every worker has responded or timed out; concurrent calls share one poll. */
  async refresh(): Promise<void> {
    await this.#poll.run();
  }

  receive(worker: number, message: MessageToPrimary): void {
    if (message.kind === 'mode') this.#metrics.setMode(worker, message.mode);
    if (message.kind !== 'metrics-response') return;
    this.#metrics.setSnapshot(worker, message.snapshot);
    this.#poll.receive(worker);
  }

  async onWorkerExit(worker: number, unexpected: boolean): Promise<void> {
    if (unexpected) this.#metrics.countUnexpectedExit();
    this.#poll.forget(worker);
    await this.#metrics.retire(worker);
  }
}
