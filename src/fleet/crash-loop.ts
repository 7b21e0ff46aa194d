/** Tells how long to wait before a dead worker is replaced, and when there is no more point in it. */

/** A worker that dies younger than this did not get going. */
const youngMs = 5_000;
const mostYoungDeaths = 10;
const firstDelayMs = 100;
const longestDelayMs = 5_000;

export class CrashLoop {
  #youngDeaths = 0;

  /** After a death: how long to wait, or undefined where workers keep dying young. */
  delayAfter(livedMs: number): number | undefined {
    if (livedMs >= youngMs) {
      this.#youngDeaths = 0;
      return 0;
    }
    this.#youngDeaths++;
    if (this.#youngDeaths > mostYoungDeaths) return undefined;
    return Math.min(firstDelayMs * 2 ** (this.#youngDeaths - 1), longestDelayMs);
  }
}
