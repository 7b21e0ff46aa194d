/** Spares a partner that keeps failing: open after failures in a row or in half of its calls, then one probe at a time. */
export type CircuitState = 'closed' | 'open' | 'half_open';

/** Of so many recent calls half may fail. */
const recentCalls = 20;
const openForMs = 2_000;

export class CircuitBreaker {
  readonly #mostInARow: number;
  readonly #onState: (state: CircuitState) => void;
  readonly #random: () => number;
  #state: CircuitState = 'closed';
  #inARow = 0;
  #recent: boolean[] = [];
  #probeAtMs = 0;

  constructor(mostInARow: number, onState: (state: CircuitState) => void, random: () => number = Math.random) {
    this.#mostInARow = mostInARow;
    this.#onState = onState;
    this.#random = random;
  }

  /** Whether the partner may be asked now. */
  admits(nowMs: number): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && nowMs >= this.#probeAtMs);
  }

  /** The partner is asked, and `record` will tell what came of it; in the open state this is the probe. */
  begin(): void {
    if (this.#state === 'open') this.#enter('half_open');
  }

  /** What came of a call that was begun; `unknown` where it was given up before it had had a fair time. */
  record(ending: 'success' | 'failure' | 'unknown', nowMs: number): void {
    if (ending === 'success') this.#succeeded();
    else if (ending === 'failure') this.#failed(nowMs);
    else if (this.#state === 'half_open') this.#enter('open'); // the next call is the probe
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

  #enter(state: CircuitState): void {
    this.#state = state;
    this.#onState(state);
  }
}

/** Breakers are each worker's own: together the workers of a machine shall not fail more than thirty times in a row. */
export const failuresInARow = (workers: number): number => Math.min(10, Math.max(1, Math.floor(30 / workers)));
