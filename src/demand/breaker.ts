/** Spares a partner that keeps failing: open after failures in a row or in half of its calls, then one probe at a time. */
import type { PartnerResult } from './partner-result.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

/** Of so many recent calls half may fail. */
const recentCalls = 20;
const openForMs = 2_000;

const failures: ReadonlySet<PartnerResult> = new Set(['timeout', 'late', 'error']);
const successes: ReadonlySet<PartnerResult> = new Set(['bid', 'no_bid', 'invalid']);

export class Breaker {
  readonly #mostInARow: number;
  readonly #onState: (state: BreakerState) => void;
  readonly #random: () => number;
  #state: BreakerState = 'closed';
  #inARow = 0;
  #recent: boolean[] = [];
  #probeAtMs = 0;

  constructor(mostInARow: number, onState: (state: BreakerState) => void, random: () => number = Math.random) {
    this.#mostInARow = mostInARow;
    this.#onState = onState;
    this.#random = random;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether the partner may be asked now. */
  admits(nowMs: number): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && nowMs >= this.#probeAtMs);
  }

  /** The partner is asked, and `record` will tell what came of it; in the open state this is the probe. */
  begin(): void {
    if (this.#state === 'open') this.#enter('half_open');
  }

  /** What came of a call that was begun. */
  record(result: PartnerResult, nowMs: number): void {
    if (successes.has(result)) this.#succeeded();
    else if (failures.has(result)) this.#failed(nowMs);
    else if (this.#state === 'half_open') this.#open(nowMs); // the probe was never made
  }

  #succeeded(): void {
    this.#inARow = 0;
    if (this.#state === 'half_open') {
      this.#recent = [];
      this.#enter('closed');
    } else this.#remember(false);
  }

  #failed(nowMs: number): void {
    this.#inARow++;
    this.#remember(true);
    if (this.#state === 'half_open' || (this.#state === 'closed' && this.#isTooMuch())) this.#open(nowMs);
  }

  #isTooMuch(): boolean {
    if (this.#inARow >= this.#mostInARow) return true;
    return this.#recent.length === recentCalls && this.#recent.filter(Boolean).length * 2 >= recentCalls;
  }

  #remember(failed: boolean): void {
    if (this.#recent.length === recentCalls) this.#recent.shift();
    this.#recent.push(failed);
  }

  #open(nowMs: number): void {
    this.#probeAtMs = nowMs + openForMs * (1 + this.#random() / 2);
    this.#enter('open');
  }

  #enter(state: BreakerState): void {
    this.#state = state;
    this.#onState(state);
  }
}

/** Breakers are each worker's own: together the workers of a machine shall not fail more than thirty times in a row. */
export const failuresInARow = (workers: number): number => Math.min(10, Math.max(1, Math.floor(30 / workers)));
