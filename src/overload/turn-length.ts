/** How long a turn of the event loop may be, and how many held requests start in one. */

/** A turn that has taken longer holds the requests that it still reads. */
const maxMs = 10;
/** Shorter turns serve a little less. */
const shortShare = 0.5;
/** Turns are short for so long after a client that uses little was delayed by others: its requests wait in several of them. */
const shortForMs = 1_000;

export class TurnLength {
  #shortUntilMs = -Infinity;

  /** A client that uses little has sent a request while others wait that use much more. */
  shorten(nowMs: number): void {
    this.#shortUntilMs = nowMs + shortForMs;
  }

  maxMs(nowMs: number): number {
    return maxMs * this.#share(nowMs);
  }

  /** `requests`: how many may start in a turn that is not short. */
  maxStarts(requests: number, nowMs: number): number {
    return Math.max(1, requests * this.#share(nowMs));
  }

  #share(nowMs: number): number {
    return nowMs < this.#shortUntilMs ? shortShare : 1;
  }
}
