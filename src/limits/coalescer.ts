/** Brings claims to their buckets in batches: one call under way at a time, all that arrive meanwhile join the next. */
import { type Buckets, mostClaims } from './buckets.ts';
import type { Decision } from './decision.ts';
import type { Claim } from './limiter.ts';

/** Told of the decision on one claim and the clock it was made by, or that there is none. */
export interface Waiting {
  claim: Claim;
  decided(decision: Decision, nowMicros: number, sentAtMs: number): void;
  failed(): void;
}

export interface CoalescerParts {
  buckets: Buckets;
  /** Monotonic. */
  nowMs: () => number;
  /** Told once a call that failed, its claims each after that. */
  onFailure: (error: unknown) => void;
  onCall: (durationMs: number) => void;
}

export class Coalescer {
  readonly #parts: CoalescerParts;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(parts: CoalescerParts) {
    this.#parts = parts;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#busy) return;
    this.#busy = true;
    setImmediate(this.#send); // what else arrives in this turn of the event loop comes along
  }

  readonly #send = (): void => {
    const batch = this.#waiting;
    this.#waiting = batch.length > mostClaims ? batch.splice(mostClaims) : [];
    void this.#settle(batch).then(this.#next);
  };

  readonly #next = (): void => {
    if (this.#waiting.length > 0) this.#send();
    else this.#busy = false;
  };

  async #settle(batch: readonly Waiting[]): Promise<void> {
    const { buckets, nowMs, onFailure, onCall } = this.#parts;
    const sentAtMs = nowMs();
    try {
      const { decisions, nowMicros } = await buckets.decideAll(batch.map(({ claim }) => claim));
      onCall(nowMs() - sentAtMs);
      for (const [at, waiting] of batch.entries()) waiting.decided(decisions[at]!, nowMicros, sentAtMs);
    } catch (error) {
      onCall(nowMs() - sentAtMs);
      onFailure(error);
      // Those that wait for the next call have waited long enough: it would fail like this one.
      for (const waiting of [...batch, ...this.#waiting.splice(0)]) waiting.failed();
    }
  }
}
