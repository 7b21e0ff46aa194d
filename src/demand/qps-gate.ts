/** Holds the calls to a partner to its rate: a token bucket of one second's worth, this worker's share of it. */

export class QpsGate {
  readonly #intervalMs: number;
  readonly #capacityMs: number;
  #fullAtMs = 0;

  constructor(maxQps: number, workers: number) {
    this.#intervalMs = (1_000 * workers) / maxQps;
    this.#capacityMs = Math.max(1_000, this.#intervalMs);
  }

  take(nowMs: number): boolean {
    const next = Math.max(this.#fullAtMs, nowMs) + this.#intervalMs;
    if (next - nowMs > this.#capacityMs + 1e-6) return false;
    this.#fullAtMs = next;
    return true;
  }
}
