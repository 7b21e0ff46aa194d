/** The turns of the event loop: when the current one began, and what the worker itself made its requests wait. */

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

export interface Turn {
  /** When the previous turn ended, plus the time for which the event loop then waited: what the turn reads has waited at least since then. */
  readonly startMs: number;
  /** What the turn reads was not there earlier: the event loop would have read it in an earlier turn, or would not have waited. */
  readonly earliestReadMs: number;
  /** For how long the event loop had had nothing to do until the turn began. */
  readonly idleMs: number;
  /** Infinity until it ends. */
  endMs: number;
}

/** A shorter wait of the event loop is only what it takes to ask for events. */
const minWaitMs = 0.1;

export class EventLoopClock {
  readonly #times: LoopTimes;
  readonly #listeners = new Set<(nowMs: number) => void>();
  #previous: Turn;
  #turn: Turn | undefined;

  constructor(times: LoopTimes = processTimes) {
    this.#times = times;
    const nowMs = times.nowMs();
    this.#previous = { startMs: nowMs, earliestReadMs: nowMs, idleMs: times.idleMs(), endMs: nowMs };
    times.atTurnEnd(this.#endTurn);
  }

  nowMs(): number {
    return this.#times.nowMs();
  }

  readonly idleMs = (): number => this.#times.idleMs();

  /** The current turn. */
  turn(): Turn {
    this.#turn ??= this.#begin();
    return this.#turn;
  }

  /** On the clock of `nowMs`. */
  turnStartMs(): number {
    return this.turn().startMs;
  }

  /** For how long after an earlier turn what the current one reads was not there yet, at least: another process took so long to respond. */
  waitedSince({ endMs }: Turn): number {
    return Math.max(0, this.turn().earliestReadMs - endMs);
  }

  /** Calls back at the end of each turn. Returns a function that stops it. */
  onTurnEnd(listener: (nowMs: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #begin(): Turn {
    const previous = this.#previous;
    const idleMs = this.#times.idleMs();
    const waitMs = idleMs - previous.idleMs;
    const startMs = previous.endMs + waitMs;
    return { startMs, earliestReadMs: waitMs >= minWaitMs ? startMs : previous.startMs, idleMs, endMs: Infinity };
  }

  readonly #endTurn = (): void => {
    this.#times.atTurnEnd(this.#endTurn);
    const nowMs = this.#times.nowMs();
    for (const listener of this.#listeners) listener(nowMs);
    this.#previous = this.turn();
    this.#previous.endMs = this.#times.nowMs();
    this.#turn = undefined;
  };
}
