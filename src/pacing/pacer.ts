/** Large pieces of work wait for their turn, so that they take at most half of the time that everything else leaves. */

/** From this size on, a body or response is a large piece of work: its cost may exceed a whole ordinary request's. */
export const largeBytes = 32 * 1024;

/** A turn follows the previous one after at most this many times as long as that took: large work never stops entirely. */
const maxPause = 9;
/** Below the resolution of timers. */
const minPauseMs = 0.5;

export interface PacerClock {
  nowMs: () => number;
  /** For how long the event loop has had nothing to do, since it started. */
  idleMs: () => number;
  /** Calls back in the next turn of the event loop. */
  soon: (callback: () => void) => void;
  later: (callback: () => void, delayMs: number) => void;
}

const processClock: PacerClock = {
  nowMs: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  soon: (callback) => void setImmediate(callback),
  later: (callback, delayMs) => void setTimeout(callback, delayMs),
};

interface Waiting {
  start: (isTurn: boolean) => void;
  sinceMs: number;
}

/** What those who have large work to do see of it. */
export type Turns = Pick<Pacer, 'turn'>;

export class Pacer {
  readonly #maxWaitMs: number;
  readonly #clock: PacerClock;
  /** By owner, the one whose turn is next first. */
  readonly #queues = new Map<string, Waiting[]>();
  #isBusy = false;

  constructor(maxWaitMs: number, clock: PacerClock = processClock) {
    this.#maxWaitMs = maxWaitMs;
    this.#clock = clock;
  }

  /**
   * Resolves when it is the caller's turn: what it does next, until it awaits something, is the piece of work. False if
   * it has waited too long. Owners take turns: one that has much to do delays nobody who has little.
   */
  turn(owner: string): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { start: resolve, sinceMs: this.#clock.nowMs() };
      const queue = this.#queues.get(owner);
      if (queue) queue.push(waiting);
      else this.#queues.set(owner, [waiting]);
      if (this.#isBusy) return;
      this.#isBusy = true;
      this.#clock.soon(() => this.#startNext());
    });
  }

  #startNext(): void {
    const next = this.#next();
    if (!next) {
      this.#isBusy = false;
      return;
    }
    const startedAtMs = this.#clock.nowMs();
    next.start(true);
    this.#clock.soon(() => this.#pause(this.#clock.nowMs() - startedAtMs));
  }

  /** The newest of its owner: the oldest are about to be given up. */
  #next(): Waiting | undefined {
    const earliestMs = this.#clock.nowMs() - this.#maxWaitMs;
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner);
      while (queue.length > 0 && queue[0]!.sinceMs < earliestMs) queue.shift()!.start(false);
      const next = queue.pop();
      if (queue.length > 0) this.#queues.set(owner, queue);
      if (next) return next;
    }
    return undefined;
  }

  /** Until the event loop has been idle for as long as the turn took. */
  #pause(tookMs: number): void {
    if (tookMs < minPauseMs) return this.#startNext();
    const { nowMs, idleMs, later } = this.#clock;
    const untilIdleMs = idleMs() + tookMs;
    const latestMs = nowMs() + tookMs * maxPause;
    const check = () => {
      const missingMs = Math.min(untilIdleMs - idleMs(), latestMs - nowMs());
      if (missingMs < minPauseMs) this.#startNext();
      else later(check, missingMs);
    };
    later(check, tookMs);
  }
}
