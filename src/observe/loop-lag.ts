/** How long this process's event loop was held up, at the most: during that time the process served nobody. */

const lookEveryMs = 20;

export class LoopLag {
  #dueAtMs = performance.now() + lookEveryMs;
  #longestMs = 0;

  constructor() {
    setInterval(() => this.#look(), lookEveryMs).unref();
  }

  /** The longest since this was last asked; a hold-up that is not over yet counts now and then again. */
  takeLongestMs(): number {
    const longestMs = Math.max(this.#longestMs, this.#lateByMs());
    this.#longestMs = 0;
    return longestMs;
  }

  #look(): void {
    this.#longestMs = Math.max(this.#longestMs, this.#lateByMs());
    this.#dueAtMs = performance.now() + lookEveryMs;
  }

  #lateByMs(): number {
    return Math.max(0, performance.now() - this.#dueAtMs);
  }
}
