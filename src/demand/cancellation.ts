/** Cancels the partner calls of one auction: an AbortSignal reduced to a reason and plain listeners (decision 12). */

/** `timeout`: the partner's own limit or the auction's deadline has passed. `late`: the auction ended without the partner. */
export type CancelReason = 'late' | 'timeout';

export class Cancellation {
  #reason: CancelReason | undefined;
  #listeners: ((reason: CancelReason) => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAbandoned = false;
  #onAbandon: (() => void) | undefined;

  get reason(): CancelReason | undefined {
    return this.#reason;
  }

  /** Only the first call has an effect. */
  cancel(reason: CancelReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    clearTimeout(this.#timer);
    for (const listener of this.#listeners) listener(reason);
    this.#listeners = [];
  }

  /** `listener` runs once, immediately if the cancellation has already happened. */
  onCancel(listener: (reason: CancelReason) => void): void {
    if (this.#reason === undefined) this.#listeners.push(listener);
    else listener(this.#reason);
  }

  /** Whether the auction no longer needs the response. The call continues only to measure the response time. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** The call is cancelled after `timeoutMs` if it has not ended by then. `cancel` it to clear its timer. */
  abandon(timeoutMs: number): void {
    this.#isAbandoned = true;
    this.#onAbandon?.();
    this.#startTimer(timeoutMs);
  }

  /** `listener` runs once, if the call is abandoned. There is one at most. */
  onAbandon(listener: () => void): void {
    this.#onAbandon = listener;
  }

  /** A cancellation that follows this one and also happens after `timeoutMs`. `cancel` it to clear its timer. */
  withTimeout(timeoutMs: number): Cancellation {
    const child = new Cancellation();
    this.onCancel((reason) => child.cancel(reason));
    child.#startTimer(timeoutMs);
    return child;
  }

  /** The extra turn of the event loop lets a response that is already in the socket win. */
  #startTimer(timeoutMs: number): void {
    this.#timer = setTimeout(setImmediate, timeoutMs, () => this.cancel('timeout'));
  }
}
