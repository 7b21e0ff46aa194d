/** What each client has taken of the worker's time lately: who has taken less is served first. */

/** Usage counts in full for one such period, and less and less in the next. */
const periodMs = 1_000;
/** What every request takes beside the time that is measured for it. */
export const requestMs = 0.5;
/** A client that has used less than this, a tenth of the worker's time, is light. */
export const lightMs = 100;
/** The usage of an unknown client. It is not light, because addresses are easy to get. */
const unknownMs = lightMs;

/** Holds the clients of two periods, and no older ones. */
export class ClientUsage {
  #current = new Map<string, number>();
  #previous = new Map<string, number>();
  #startedAtMs = 0;

  /** A request of the client has started. */
  start(client: string, nowMs: number): void {
    this.charge(client, requestMs, nowMs);
  }

  /** A request of the client has taken `costMs` more. */
  charge(client: string, costMs: number, nowMs: number): void {
    this.#rotate(nowMs);
    this.#current.set(client, (this.#current.get(client) ?? 0) + costMs);
  }

  /** In milliseconds, of the last period. */
  of(client: string, nowMs: number): number {
    this.#rotate(nowMs);
    const current = this.#current.get(client);
    const previous = this.#previous.get(client);
    if (current === undefined && previous === undefined) return unknownMs;
    const previousShare = 1 - (nowMs - this.#startedAtMs) / periodMs;
    return (current ?? 0) + (previous ?? 0) * previousShare;
  }

  #rotate(nowMs: number): void {
    const elapsedMs = nowMs - this.#startedAtMs;
    if (elapsedMs < periodMs) return;
    const isRecent = elapsedMs < 2 * periodMs;
    this.#previous = isRecent ? this.#current : new Map();
    this.#current = new Map();
    this.#startedAtMs = isRecent ? this.#startedAtMs + periodMs : nowMs;
  }
}
