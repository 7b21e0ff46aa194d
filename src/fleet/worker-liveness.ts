/** Finds workers whose event loop does not run: ready ones without a heartbeat, and ones that never become ready. */

export interface LivenessLimits {
  /** The interval of `check`. */
  checkMs: number;
  /** A ready worker that sends no heartbeat for this long is unresponsive. */
  silenceMs: number;
  /** A worker that is not ready this long after its start is unresponsive. Until then it may load without a heartbeat. */
  startMs: number;
  /** A check that is later than this is a stall of the primary. */
  stallMs: number;
}

/** The interval of the heartbeats. */
export const heartbeatMs = 1_000;

export const defaultLiveness: LivenessLimits = { checkMs: 500, silenceMs: 5_000, startMs: 60_000, stallMs: 1_000 };

/**
 * Node.js passes `--inspect` on to the workers. A worker that waits at a breakpoint sends no heartbeats, so none is killed
 * while the primary has an inspector.
 */
export const livenessLimits = (inspectorUrl: string | undefined): LivenessLimits =>
  inspectorUrl === undefined ? defaultLiveness : { ...defaultLiveness, silenceMs: Infinity, startMs: Infinity };

export interface LivenessReport {
  /** How late this check was, if the primary stalled; 0 if it did not. */
  stalledMs: number;
  /** Each worker is reported once. */
  unresponsive: { worker: number; silentMs: number }[];
}

interface Watched {
  isReady: boolean;
  /** The observed time of the start, of readiness or of the last heartbeat. */
  lastSignMs: number;
}

export class WorkerLiveness {
  readonly #limits: LivenessLimits;
  readonly #nowMs: () => number;
  readonly #workers = new Map<number, Watched>();
  #checkedAtMs: number;
  /**
   * At the last check: the time during which the primary could receive heartbeats. It grows by at most two intervals per check, because
   * the primary reads messages only between checks: workers are not silent while the primary is stopped or blocked.
   */
  #observedMs = 0;

  constructor(limits: LivenessLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#checkedAtMs = nowMs();
  }

  /** Watches a worker that starts. */
  add(worker: number): void {
    this.#workers.set(worker, { isReady: false, lastSignMs: this.#observedNowMs() });
  }

  /** From now on the worker must send heartbeats. */
  ready(worker: number): void {
    const watched = this.#workers.get(worker);
    if (watched) Object.assign(watched, { isReady: true, lastSignMs: this.#observedNowMs() });
  }

  heartbeat(worker: number): void {
    const watched = this.#workers.get(worker);
    if (watched?.isReady === true) watched.lastSignMs = this.#observedNowMs();
  }

  /** Stops watching a worker: it has exited, or it drains and has a timeout of its own. */
  remove(worker: number): void {
    this.#workers.delete(worker);
  }

  check(): LivenessReport {
    const { checkMs, stallMs } = this.#limits;
    const nowMs = this.#nowMs();
    const elapsedMs = nowMs - this.#checkedAtMs;
    this.#observedMs = this.#observedNowMs();
    this.#checkedAtMs = nowMs;
    const lateMs = elapsedMs - checkMs;
    const unresponsive = this.#findUnresponsive();
    for (const { worker } of unresponsive) this.remove(worker);
    return { stalledMs: lateMs > stallMs ? lateMs : 0, unresponsive };
  }

  /** Between two checks, too. */
  #observedNowMs(): number {
    return this.#observedMs + Math.min(this.#nowMs() - this.#checkedAtMs, 2 * this.#limits.checkMs);
  }

  #findUnresponsive(): LivenessReport['unresponsive'] {
    const { silenceMs, startMs } = this.#limits;
    return [...this.#workers]
      .map(([worker, { isReady, lastSignMs }]) => ({ worker, isReady, silentMs: this.#observedMs - lastSignMs }))
      .filter(({ isReady, silentMs }) => silentMs >= (isReady ? silenceMs : startMs))
      .map(({ worker, silentMs }) => ({ worker, silentMs }));
  }
}
