/** Time that passes only in steps, from one timer to the next: seconds of auctions take milliseconds. */
import { setImmediate as nextTurn } from 'node:timers/promises';

interface Timer {
  atMs: number;
  run: () => void;
  unref: () => Timer;
}

export class VirtualTime {
  nowMs = 0;
  /** Sorted; the last one is due first. */
  readonly #timers: Timer[] = [];

  /** Runs `start` and then every timer that it and its consequences have set, while the global timers are replaced. */
  async run(start: (time: VirtualTime) => void): Promise<void> {
    const { setTimeout, clearTimeout } = globalThis;
    const replaced = {
      setTimeout: (callback: (...args: unknown[]) => void, delayMs: number, ...args: unknown[]) =>
        this.at(this.nowMs + Math.max(delayMs, 1), () => callback(...args)),
      clearTimeout: (timer?: Timer) => this.#remove(timer),
    };
    Object.assign(globalThis, replaced);
    try {
      start(this);
      for (let next = this.#timers.pop(); next; next = this.#timers.pop()) await this.#fire(next);
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  }

  at(atMs: number, run: () => void): Timer {
    const timer: Timer = { atMs, run, unref: () => timer };
    let index = this.#timers.length;
    while (index > 0 && this.#timers[index - 1]!.atMs <= atMs) index--;
    this.#timers.splice(index, 0, timer);
    return timer;
  }

  /** A timer acts in the next turn of the event loop, and what follows from that in the turn after. */
  async #fire(timer: Timer): Promise<void> {
    this.nowMs = timer.atMs;
    timer.run();
    await nextTurn();
    await nextTurn();
  }

  #remove(timer: Timer | undefined): void {
    const index = timer ? this.#timers.indexOf(timer) : -1;
    if (index !== -1) this.#timers.splice(index, 1);
  }
}
