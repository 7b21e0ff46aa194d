/** Sums per key over the latest second: older values count less and less, and are forgotten. */

/** A value counts in full for one such period, and less and less in the next. */
const periodMs = 1_000;

/** Holds the keys of two periods, and no older ones. */
export class RecentSums {
  #current = new Map<string, number>();
  #previous = new Map<string, number>();
  #startedAtMs = 0;

  add(key: string, value: number, nowMs: number): void {
    this.#rotate(nowMs);
    this.#current.set(key, (this.#current.get(key) ?? 0) + value);
  }

  /** Undefined if nothing was added lately. */
  of(key: string, nowMs: number): number | undefined {
    this.#rotate(nowMs);
    const current = this.#current.get(key);
    const previous = this.#previous.get(key);
    if (current === undefined && previous === undefined) return undefined;
    const previousShare = 1 - (nowMs - this.#startedAtMs) / periodMs;
    return (current ?? 0) + (previous ?? 0) * previousShare;
  }

  #rotate(nowMs: number): void {
    const elapsedMs = nowMs - this.#startedAtMs;
    if (elapsedMs < periodMs) return;
    const isRecent = elapsedMs < 2 * periodMs;
    this.#previous = isRecent ? this.#current : new Map();
    this.#current = new Map();
    this.#startedAtMs = isRecent ? this.#startedAtMs + periodMs : nowMs;
  }
}
