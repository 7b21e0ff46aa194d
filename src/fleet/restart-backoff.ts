/** The delay before a crashed worker is replaced, and the detection of a crash loop. */

/** A worker that exits before this uptime counts as a startup crash. */
const startupMs = 5_000;
/** Startup crashes are counted over this window. */
const windowMs = 60_000;
const maxStartupCrashes = 10;
const firstDelayMs = 100;
export const maxDelayMs = 5_000;

export class RestartBackoff {
  #crashTimesMs: number[] = [];

  /**
   * Returns the delay in milliseconds, or undefined for a crash loop: more than 10 startup crashes per minute. Until all workers are
   * ready for the first time (`hasStarted`), every exit counts, and none expires: workers that crash slowly must not prolong the start for ever.
   */
  delayAfterExit(uptimeMs: number, nowMs: number, hasStarted: boolean): number | undefined {
    if (hasStarted) {
      this.#crashTimesMs = this.#crashTimesMs.filter((crashedAtMs) => nowMs - crashedAtMs < windowMs);
      if (uptimeMs >= startupMs) return 0;
    }
    this.#crashTimesMs.push(nowMs);
    const crashes = this.#crashTimesMs.length;
    return crashes > maxStartupCrashes ? undefined : Math.min(firstDelayMs * 2 ** (crashes - 1), maxDelayMs);
  }
}
