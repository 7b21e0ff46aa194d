/** Where requests wait while the worker is overloaded: the newest leave first, the oldest are given up. */

/** Newest first: the oldest are about to be given up by their clients. */
export class WaitingRoom<Request> {
  /** Arrived in the current turn. They wait for the next one: by then it is known whether their clients have left. */
  #arriving: Request[] = [];
  /** Oldest first. */
  #waiting: Request[] = [];
  /** Before it, `#waiting` is empty. */
  #oldest = 0;

  get length(): number {
    return this.#arriving.length + this.#waiting.length - this.#oldest;
  }

  add(request: Request): void {
    this.#arriving.push(request);
  }

  /** Called after the requests of earlier turns were taken. */
  endTurn(): void {
    if (this.#oldest > 0) {
      this.#waiting = this.#waiting.slice(this.#oldest);
      this.#oldest = 0;
    }
    for (const request of this.#arriving) this.#waiting.push(request);
    this.#arriving = [];
  }

  takeNewest(): Request | undefined {
    return this.#oldest < this.#waiting.length ? this.#waiting.pop() : undefined;
  }

  /** The oldest, if `isDue`. */
  takeOldest(isDue: (request: Request) => boolean): Request | undefined {
    const oldest = this.#waiting[this.#oldest];
    if (oldest === undefined || !isDue(oldest)) return undefined;
    this.#oldest++;
    return oldest;
  }
}
