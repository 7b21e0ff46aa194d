/** The time at which the current turn of the event loop began: what it reads has waited at least since then. */

export interface LoopTimes {
  nowMs: () => number;
  /** For how long the event loop has had nothing to do, since it started. */
  idleMs: () => number;
  /** Calls back at the end of the current turn, without keeping the process or the event loop awake. */
  atTurnEnd: (callback: () => void) => void;
}

export const processTimes: LoopTimes = {
  nowMs: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  atTurnEnd: (callback) => void setImmediate(callback).unref(),
};

export class EventLoopClock {
  readonly #times: LoopTimes;
  readonly #listeners = new Set<(nowMs: number) => void>();
  #endedAtMs: number;
  #idleAtEndMs: number;
  #turnStartMs: number | undefined;

  constructor(times: LoopTimes = processTimes) {
    this.#times = times;
    this.#endedAtMs = times.nowMs();
    this.#idleAtEndMs = times.idleMs();
    times.atTurnEnd(this.#endTurn);
  }

  nowMs(): number {
    return this.#times.nowMs();
  }

  readonly idleMs = (): number => this.#times.idleMs();

  /** On the clock of `nowMs`: when the previous turn ended, plus the time for which the event loop then waited. */
  turnStartMs(): number {
    this.#turnStartMs ??= this.#endedAtMs + this.#times.idleMs() - this.#idleAtEndMs;
    return this.#turnStartMs;
  }

  /** Calls back at the end of each turn. Returns a function that stops it. */
  onTurnEnd(listener: (nowMs: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly #endTurn = (): void => {
    this.#times.atTurnEnd(this.#endTurn);
    const nowMs = this.#times.nowMs();
    for (const listener of this.#listeners) listener(nowMs);
    this.#turnStartMs = undefined;
    this.#endedAtMs = this.#times.nowMs();
    this.#idleAtEndMs = this.#times.idleMs();
  };
}
