/** Collects the requests of one event-loop turn and handles them together: reading them first and deciding them then is faster. */

export class TurnQueue<Request> {
  readonly #handle: (requests: readonly Request[]) => void;
  #requests: Request[] = [];

  /** `handle` never throws. */
  constructor(handle: (requests: readonly Request[]) => void) {
    this.#handle = handle;
  }

  add(request: Request): void {
    if (this.#requests.push(request) > 1) return;
    setImmediate(() => {
      const requests = this.#requests;
      this.#requests = [];
      this.#handle(requests);
    });
  }
}
