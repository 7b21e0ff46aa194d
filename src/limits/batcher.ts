/** Brings claims to their buckets in batches: one call under way at a time, all that arrive meanwhile join the next. */
import { type BatchDecision, type Buckets, mostClaims } from './buckets.ts';
import type { Decision } from './decision.ts';
import type { RateLimitKeys, RateLimitResult } from './rate-limiter.ts';

/** A claim, and whom to tell what came of it. */
export interface Question {
  claim: RateLimitKeys;
  tell: (verdict: RateLimitResult) => void;
}

export interface BatcherParts {
  buckets: Buckets;
  /** Monotonic. */
  nowMs: () => number;
  /** With the clock that it was decided by, and when it was asked for. */
  onDecision: (question: Question, decision: Decision, nowMicros: number, sentAtMs: number) => void;
  /** Told once of a call that failed, before its questions are told undecided. */
  onFailure: (error: unknown) => void;
  onUndecided: (question: Question) => void;
  onCall: (durationMs: number) => void;
}

export class Batcher {
  readonly #parts: BatcherParts;
  #waiting: Question[] = [];
  #busy = false;

  constructor(parts: BatcherParts) {
    this.#parts = parts;
  }

  add(question: Question): void {
    this.#waiting.push(question);
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

  async #settle(batch: readonly Question[]): Promise<void> {
    const { nowMs, onDecision, onUndecided, onCall } = this.#parts;
    const sentAtMs = nowMs();
    const decided = await this.#ask(batch);
    onCall(nowMs() - sentAtMs);
    if (decided) {
      const { decisions, nowMicros } = decided;
      for (const [at, question] of batch.entries()) onDecision(question, decisions[at]!, nowMicros, sentAtMs);
      return;
    }
    // Those that wait for the next call have waited long enough: it would fail like this one.
    for (const question of [...batch, ...this.#waiting.splice(0)]) onUndecided(question);
  }

  async #ask(batch: readonly Question[]): Promise<BatchDecision | undefined> {
    try {
      const decided = await this.#parts.buckets.decideAll(batch.map(({ claim }) => claim));
      if (decided.decisions.length === batch.length) return decided;
      throw new Error(`${batch.length} claims, but ${decided.decisions.length} decisions`);
    } catch (error) {
      this.#parts.onFailure(error);
      return undefined;
    }
  }
}
