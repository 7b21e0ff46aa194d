/** Tells how long to wait before a dead worker is replaced, and when there is no more point in it. */

/** A worker that dies younger than this did not get going. */
const youngMs = 5_000;
/** Deaths longer ago than this are no part of a loop. */
const forgottenAfterMs = 60_000;
const mostYoungDeaths = 10;
const firstDelayMs = 100;
export const longestDelayMs = 5_000;

export class RestartBackoff {
  #youngDeaths: number[] = [];

  /** After a death: how long to wait, or undefined where workers keep dying young. */
  delayAfter(livedMs: number, nowMs: number): number | undefined {
    this.#youngDeaths = this.#youngDeaths.filter((diedAtMs) => nowMs - diedAtMs < forgottenAfterMs);
    if (livedMs >= youngMs) return 0;
    this.#youngDeaths.push(nowMs);
    const deaths = this.#youngDeaths.length;
    return deaths > mostYoungDeaths ? undefined : Math.min(firstDelayMs * 2 ** (deaths - 1), longestDelayMs);
  }
}
