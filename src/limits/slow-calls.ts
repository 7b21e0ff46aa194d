/** Detects a second in which all calls were slow: their callers wait longer than an auction can afford. */

/** Slower calls leave an auction too little of its time. */
const slowMs = 100;
/** Every call must be slow for this long: a single slow call or a short stall does not count. */
const windowMs = 1_000;
const minCalls = 3;

export class SlowCalls {
  #calls = 0;
  #sinceMs = 0;

  /** Called after each call. */
  add(durationMs: number, nowMs: number): void {
    if (durationMs <= slowMs) this.#calls = 0;
    else if (++this.#calls === 1) this.#sinceMs = nowMs - durationMs;
  }

  /** Whether all calls of the last second were slow. */
  isSustained(nowMs: number): boolean {
    return this.#calls >= minCalls && nowMs - this.#sinceMs >= windowMs;
  }

  clear(): void {
    this.#calls = 0;
  }
}
