/** Whether the shared buckets can be relied on: trips at the first failure, then probes until a trial call succeeds. */

export interface FailoverParts {
  /** The trial call of the half-open state; requests are decided locally until it succeeds. */
  probe(): Promise<unknown>;
  onChange(degraded: boolean, cause?: unknown): void;
}

const probeEveryMs = 300;
/** Without traffic nothing else would tell that the buckets are out of reach. */
const watchEveryMs = 2_000;

export class Failover {
  readonly #parts: FailoverParts;
  #degraded = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: FailoverParts) {
    this.#parts = parts;
    this.#probeAfter(watchEveryMs);
  }

  get degraded(): boolean {
    return this.#degraded;
  }

  trip(cause: unknown): void {
    if (this.#degraded) return;
    this.#degraded = true;
    this.#parts.onChange(true, cause);
    this.#probeAfter(probeEveryMs);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** With jitter, so that the workers of a fleet do not come back all at once. */
  #probeAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#probe(), delayMs * (1 + Math.random())).unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.#parts.probe();
      if (!this.#closed && this.#degraded) this.#recover();
    } catch (error) {
      if (!this.#closed) this.trip(error);
    }
    if (!this.#closed) this.#probeAfter(this.#degraded ? probeEveryMs : watchEveryMs);
  }

  #recover(): void {
    this.#degraded = false;
    this.#parts.onChange(false);
  }
}
