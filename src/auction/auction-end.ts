/** When an auction ends: with a valid bid, as soon as no open call is worth waiting for; else when all have ended; at the latest at its deadline. */
import type { CancelReason } from '../demand/cancellation.ts';
import type { Deadline } from './deadline.ts';

export class AuctionEnd {
  readonly #hardAtMs: number;
  readonly #nowMs: () => number;
  /** Until when each open call is worth waiting for. */
  readonly #open: number[] = [];
  #hasValidBid = false;
  #end: ((reason: CancelReason) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs: number | undefined;

  constructor({ hardAtMs }: Deadline, nowMs: () => number) {
    this.#hardAtMs = hardAtMs;
    this.#nowMs = nowMs;
  }

  /** `settled` follows if the bid came from a call. */
  validBidReceived(): void {
    this.#hasValidBid = true;
  }

  /** A call was started. */
  waitUntil(atMs: number): void {
    this.#open.push(atMs);
  }

  /** A call that was worth waiting for until `atMs` has ended. */
  settled(atMs: number): void {
    this.#open.splice(this.#open.indexOf(atMs), 1);
    if (this.#end && this.#open.length > 0) this.#schedule(this.#end);
  }

  /** Resolves when the auction ends, with the reason why the open calls are cancelled; undefined if there are none. */
  async after(responses: Promise<unknown>): Promise<CancelReason | undefined> {
    const ended = new Promise<CancelReason>((resolve) => {
      this.#end = resolve;
      this.#schedule(resolve);
    });
    try {
      return await Promise.race([responses.then(() => undefined), ended]);
    } finally {
      clearTimeout(this.#timer);
      this.#end = undefined;
    }
  }

  /** Without a valid bid there is no other revenue to lose: every call is waited for until the deadline. */
  #schedule(end: (reason: CancelReason) => void): void {
    const worthUntilMs = this.#hasValidBid ? Math.max(...this.#open) : Infinity;
    const atMs = Math.min(worthUntilMs, this.#hardAtMs);
    if (atMs === this.#timerAtMs) return;
    const reason = worthUntilMs < this.#hardAtMs ? 'late' : 'timeout';
    const leftMs = atMs - this.#nowMs();
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    // The extra turn of the event loop lets a response that is already in the socket count, even if the process was stalled.
    if (leftMs <= 0) setImmediate(end, reason);
    else this.#timer = setTimeout(setImmediate, leftMs, () => end(reason));
  }
}
