/** Holds the calls to a partner to its rate: a token bucket of one second's worth, this worker's share of it. */

export class QpsLimiter {
  readonly #intervalMs: number;
  #fullAtMs = 0;

  /** Whole calls are shared out, the first workers getting one more: so the shares add up. `slot` counts from 0. */
  constructor(maxQps: number, workers: number, slot: number) {
    const share = Math.floor(maxQps / workers) + (slot < maxQps % workers ? 1 : 0);
    this.#intervalMs = 1_000 / share;
  }

  take(nowMs: number): boolean {
    const next = Math.max(this.#fullAtMs, nowMs) + this.#intervalMs;
    if (next - nowMs > 1_000 + 1e-6) return false;
    this.#fullAtMs = next;
    return true;
  }
}
