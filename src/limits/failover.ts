/** The circuit breaker of the shared buckets: opens on the first failure, closes when a probe succeeds. */

export interface FailoverParts {
  /** Rejects while the shared buckets cannot be used. */
  probe(): Promise<void>;
  /** `cause` is the failure; undefined on recovery. */
  onChange(degraded: boolean, cause?: unknown): void;
  /** A probe fails for a reason that was not reported yet: the first one is often only that the connection was lost. */
  onFurtherCause?(cause: unknown): void;
}

/** Reasons reported per outage. */
const maxCauses = 8;

const degradedProbeIntervalMs = 300;
/** Without traffic only a probe can detect an outage. */
const idleProbeIntervalMs = 2_000;

export class Failover {
  readonly #parts: FailoverParts;
  #degraded = false;
  /** The reasons of this outage. */
  readonly #causes = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #probing: Promise<void> | undefined;
  #closed = false;

  constructor(parts: FailoverParts) {
    this.#parts = parts;
    this.#scheduleProbe();
  }

  get degraded(): boolean {
    return this.#degraded;
  }

  trip(cause: unknown): void {
    if (this.#degraded || this.#closed) return;
    this.#degraded = true;
    this.#causes.add(String(cause));
    this.#scheduleProbe(); // before onChange: recovery must not depend on what onChange does
    this.#parts.onChange(true, cause);
  }

  /** Probes now. Calls during a probe share its result. */
  probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Jitter keeps the workers of a fleet from probing all at once. */
  #scheduleProbe(): void {
    clearTimeout(this.#timer);
    const intervalMs = this.#degraded ? degradedProbeIntervalMs : idleProbeIntervalMs;
    this.#timer = setTimeout(() => void this.probe(), intervalMs * (1 + Math.random())).unref();
  }

  async #probe(): Promise<void> {
    const cause = await this.#parts.probe().then(
      () => undefined,
      (error: unknown) => error ?? new Error('the probe failed'),
    );
    if (this.#closed) return;
    try {
      if (cause === undefined) this.#recover();
      else if (this.#degraded) this.#addCause(cause);
      else this.trip(cause);
    } finally {
      this.#scheduleProbe();
    }
  }

  #addCause(cause: unknown): void {
    if (this.#causes.size >= maxCauses || this.#causes.has(String(cause))) return;
    this.#causes.add(String(cause));
    this.#parts.onFurtherCause?.(cause);
  }

  #recover(): void {
    if (!this.#degraded) return;
    this.#degraded = false;
    this.#causes.clear();
    this.#parts.onChange(false);
  }
}
