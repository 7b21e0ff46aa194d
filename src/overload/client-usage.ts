/** What each client has taken of the worker's time lately: who has taken less is served first. */
import { RecentSums } from './recent-sums.ts';

/** What every request takes beside the time that is measured for it. */
const requestMs = 0.5;
/** The cost of a shed request: about what it would have taken. */
const refusedMs = 1;
/** A client that has used less than this, a tenth of the worker's time, is light. */
export const lightMs = 100;
/** The usage of an unknown client. It is not light, because addresses are easy to get. */
const unknownMs = lightMs;

export class ClientUsage {
  readonly #usedMs = new RecentSums();

  /** A request of the client has started. */
  start(client: string, nowMs: number): void {
    this.charge(client, requestMs, nowMs);
  }

  /** A request of the client was shed. What it asks for counts: else one whose requests are shed would come first again. One that is not known stays unknown. */
  refuse(client: string, nowMs: number): void {
    if (this.#usedMs.of(client, nowMs) !== undefined) this.charge(client, refusedMs, nowMs);
  }

  /** A request of the client has taken `costMs` more. */
  charge(client: string, costMs: number, nowMs: number): void {
    this.#usedMs.add(client, costMs, nowMs);
  }

  /** In milliseconds, of the last second. */
  of(client: string, nowMs: number): number {
    return this.#usedMs.of(client, nowMs) ?? unknownMs;
  }
}
