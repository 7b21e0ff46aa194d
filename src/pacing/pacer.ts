/** Large pieces of work wait for their turn, so that they take at most half of the time that everything else leaves. */
import { PieceQueue, Rotation } from './rotation.ts';

/** From this size on, a body or response is a large piece of work: its cost may exceed a whole ordinary request's. */
export const largeBytes = 32 * 1024;

/** The pause after a piece of work is at most this many times as long as the work took: large work never stops entirely. */
const maxPause = 19;
/** The pause is also at most this share of the maximum wait: after one long piece, the waiting work must not all expire. */
const maxPauseShare = 0.75;
/** An owner whose oldest piece has waited for this share of the maximum wait has more work than turns. */
const lateShare = 0.5;
/** The weight of the latest interval between two turns in their mean. */
const intervalWeight = 1 / 4;
/** Below the resolution of timers. */
const minPauseMs = 0.5;
/** A piece of work starts at most this many microtasks after its turn was granted. */
const maxPromises = 8;

export interface PacerClock {
  nowMs: () => number;
  /** For how long the event loop has had nothing to do, since it started. */
  idleMs: () => number;
  /** Calls back in the next turn of the event loop. */
  soon: (callback: () => void) => void;
  /** Calls back when the piece of work that was started has ended, before the event loop does anything else. */
  afterWork: (callback: () => void) => void;
  later: (callback: () => void, delayMs: number) => void;
}

export const processClock: PacerClock = {
  nowMs: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  soon: (callback) => void setImmediate(callback),
  afterWork: (callback) => afterMicrotasks(maxPromises, callback),
  later: (callback, delayMs) => void setTimeout(callback, delayMs),
};

function afterMicrotasks(count: number, callback: () => void): void {
  if (count === 0) callback();
  else queueMicrotask(() => afterMicrotasks(count - 1, callback));
}

/** The parts of the pacer that those with large work use. */
export type Turns = Pick<Pacer, 'turn' | 'isLate'>;

export class Pacer {
  readonly #maxWaitMs: number;
  readonly #clock: PacerClock;
  /** By owner, and by client of the owner. */
  readonly #waiting = new Rotation(() => new Rotation(() => new PieceQueue()));
  #isBusy = false;
  /** When the last turn was granted, and the mean interval between turns since there was nothing to do. */
  #lastTurnAtMs: number | undefined;
  #intervalMs = 0;

  constructor(maxWaitMs: number, clock: PacerClock = processClock) {
    this.#maxWaitMs = maxWaitMs;
    this.#clock = clock;
  }

  /**
   * Resolves when it is the caller's turn: what it does next, until it awaits something, is the piece of work. False if
   * it has waited too long. Owners take turns, and so do the clients on whose behalf an owner has work.
   */
  turn(owner: string, client = ''): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.partOf(owner).partOf(client).push({ start: resolve, sinceMs: this.#clock.nowMs() });
      if (this.#isBusy) return;
      this.#isBusy = true;
      this.#clock.soon(() => this.#startNext());
    });
  }

  /** Whether one more piece is likely to wait in vain: turns come too seldom for what waits already. */
  isLate(owner: string, client = ''): boolean {
    const clients = this.#waiting.find(owner);
    if (!clients) return false; // a newcomer is before those who have had a turn
    const queue = clients.find(client);
    if (queue && this.#clock.nowMs() - queue.sinceMs > this.#maxWaitMs * lateShare) return true;
    const turns = queue ? clients.size * (queue.length + 1) : clients.newcomers + 1;
    return turns * this.#waiting.size * this.#intervalMs > this.#maxWaitMs;
  }

  #startNext(): void {
    this.#expire();
    const next = this.#waiting.next();
    if (!next) {
      this.#isBusy = false;
      this.#lastTurnAtMs = undefined;
      this.#intervalMs = 0;
      return;
    }
    const startedAtMs = this.#clock.nowMs();
    if (this.#lastTurnAtMs !== undefined) this.#measureInterval(startedAtMs - this.#lastTurnAtMs);
    this.#lastTurnAtMs = startedAtMs;
    next.start(true);
    this.#clock.afterWork(() => this.#pause(this.#clock.nowMs() - startedAtMs));
  }

  #measureInterval(intervalMs: number): void {
    this.#intervalMs += (intervalMs - this.#intervalMs) * (this.#intervalMs === 0 ? 1 : intervalWeight);
  }

  #expire(): void {
    this.#waiting.expire(this.#clock.nowMs() - this.#maxWaitMs);
  }

  /** Until the event loop has been idle for as long as the turn took. */
  #pause(tookMs: number): void {
    const { nowMs, idleMs, soon, later } = this.#clock;
    if (tookMs < minPauseMs) return soon(() => this.#startNext());
    const untilIdleMs = idleMs() + tookMs;
    const latestMs = nowMs() + Math.min(tookMs * maxPause, this.#maxWaitMs * maxPauseShare);
    const check = () => {
      this.#expire();
      const missingMs = Math.min(untilIdleMs - idleMs(), latestMs - nowMs());
      if (missingMs < minPauseMs) this.#startNext();
      else later(check, missingMs);
    };
    later(check, tookMs);
  }
}
