/** Caps the calls per second to one partner: a token bucket with one second's worth, divided among the workers. */

/** Why a call is skipped. */
export const qpsReached = 'It has reached its maxQps.';

export class QpsLimiter {
  readonly #intervalMs: number;
  #tatMs = 0;

  /** The shares are whole calls and add up to `maxQps`; the first workers get one more. `workerIndex` counts from 0. */
  constructor(maxQps: number, workers: number, workerIndex: number) {
    const share = Math.floor(maxQps / workers) + (workerIndex < maxQps % workers ? 1 : 0);
    this.#intervalMs = 1_000 / share;
  }

  /** A call that yields leaves half of the bucket to others. */
  take(nowMs: number, yields = false): boolean {
    if (this.#intervalMs === Infinity) return false; // fewer calls per second than workers: this one has none
    const next = Math.max(this.#tatMs, nowMs) + this.#intervalMs;
    const burstMs = yields ? Math.max(500, this.#intervalMs) : 1_000;
    if (next - nowMs > burstMs + 1e-6) return false;
    this.#tatMs = next;
    return true;
  }
}
