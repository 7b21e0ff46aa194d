/** The circuit breaker of the shared buckets: opens on the first failure, closes when a probe succeeds. */
import { BucketsUnavailable } from './buckets.ts';

export interface FailoverParts {
  /** A monotonic clock. */
  nowMs(): number;
  /** Rejects while the shared buckets cannot be used. */
  probe(): Promise<void>;
  /** `cause` is the failure; undefined on recovery. */
  onChange(degraded: boolean, cause?: unknown): void;
  /** A probe fails for a reason that was not reported yet: the first one is often only that the connection was lost. */
  onFurtherCause?(cause: unknown): void;
}

/** Reasons reported per outage. */
const maxCauses = 8;

/** Shared buckets that respond more slowly are not used again. */
const maxProbeMs = 50;
/** After slow calls: their own load may be what makes them slow. */
const slowHoldMs = 5_000;
const tooSlow = new BucketsUnavailable(`no response within ${maxProbeMs} ms`);

/** Short, because a cluster client does not tell when a replica has taken over. */
const degradedProbeIntervalMs = 100;
/** Without traffic only a probe can detect an outage. */
const idleProbeIntervalMs = 2_000;

export class Failover {
  readonly #parts: FailoverParts;
  #degraded = false;
  #heldUntilMs = 0;
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
    this.#causes.add(rootOf(cause));
    this.#scheduleProbe(); // before onChange: recovery must not depend on what onChange does
    this.#parts.onChange(true, cause);
  }

  /** For calls that succeed, but take too long. */
  tripForSlowness(cause: unknown): void {
    this.#heldUntilMs = this.#parts.nowMs() + slowHoldMs;
    this.trip(cause);
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
    const startedAtMs = this.#parts.nowMs();
    const failure = await this.#parts.probe().then(
      () => undefined,
      (error: unknown) => error ?? new Error('the probe failed'),
    );
    const isSlow = this.#degraded && this.#parts.nowMs() - startedAtMs > maxProbeMs;
    const cause = failure ?? (isSlow ? tooSlow : undefined);
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
    const root = rootOf(cause);
    if (this.#causes.size >= maxCauses || this.#causes.has(root)) return;
    this.#causes.add(root);
    this.#parts.onFurtherCause?.(cause);
  }

  #recover(): void {
    if (!this.#degraded || this.#parts.nowMs() < this.#heldUntilMs) return;
    this.#degraded = false;
    this.#causes.clear();
    this.#parts.onChange(false);
  }
}

/** One reason may be wrapped in several. The one that `BucketsUnavailable` states is logged. */
function rootOf(cause: unknown): string {
  let root = cause;
  while (root instanceof Error && !(root instanceof BucketsUnavailable) && root.cause !== undefined) root = root.cause;
  return String(root);
}
