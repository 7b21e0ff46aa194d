/** Whether the shared buckets can be relied on: trips at the first failure, then probes until a trial call succeeds. */

export interface FailoverParts {
  /** The trial call of the half-open state; requests are decided locally until it succeeds. */
  probe(): Promise<unknown>;
  onChange(degraded: boolean, cause?: unknown): void;
}

const probeEveryMs = 300;

export class Failover {
  readonly #parts: FailoverParts;
  #degraded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FailoverParts) {
    this.#parts = parts;
  }

  get degraded(): boolean {
    return this.#degraded;
  }

  trip(cause: unknown): void {
    if (this.#degraded) return;
    this.#degraded = true;
    this.#parts.onChange(true, cause);
    this.#probeLater();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#degraded = true;
  }

  /** With jitter, so that the workers of a fleet do not come back all at once. */
  #probeLater(): void {
    const delayMs = probeEveryMs * (1 + Math.random());
    this.#timer = setTimeout(() => {
      this.#parts.probe().then(
        () => this.#recover(),
        () => this.#probeLater(),
      );
    }, delayMs).unref();
  }

  #recover(): void {
    this.#degraded = false;
    this.#parts.onChange(false);
  }
}
