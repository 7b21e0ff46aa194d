/** Circuit breaker of one partner: opens after consecutive failures or when half of the recent calls fail, then probes. */
export type CircuitState = 'closed' | 'open' | 'half_open';

/** `unknown`: the call says nothing about the partner, for example because it was cancelled before the partner had a fair time. */
export type BreakerSignal = 'success' | 'failure' | 'unknown';

/** `cause` is the last failure in words, if the circuit is open. */
export type OnCircuitState = (state: CircuitState, cause?: string) => void;

/** The circuit opens if half of this many recent calls failed. */
const recentCalls = 20;
const openForMs = 2_000;

export class CircuitBreaker {
  readonly #maxConsecutiveFailures: number;
  readonly #onState: OnCircuitState;
  readonly #random: () => number;
  #state: CircuitState = 'closed';
  #consecutiveFailures = 0;
  #recent: boolean[] = [];
  #probeAtMs = 0;
  #lastFailure: string | undefined;
  /** Counts the changes of the state. */
  #changes = 0;

  constructor(maxConsecutiveFailures: number, onState: OnCircuitState, random: () => number = Math.random) {
    this.#maxConsecutiveFailures = maxConsecutiveFailures;
    this.#onState = onState;
    this.#random = random;
  }

  /** Whether the partner may be called now. */
  allows(nowMs: number): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && nowMs >= this.#probeAtMs);
  }

  /** A call starts; in the open state it is the probe. Returns what `record` needs when the call ends. */
  begin(): number {
    if (this.#state === 'open') this.#enter('half_open');
    return this.#changes;
  }

  /**
   * A call that started before the state last changed says nothing: it must not decide in place of the probe. `cause` says in words why the
   * call failed.
   */
  record(begun: number, signal: BreakerSignal, nowMs: number, cause?: string): void {
    if (begun !== this.#changes) return;
    if (signal === 'failure') this.#lastFailure = cause;
    if (signal === 'success') this.#succeeded();
    else if (signal === 'failure') this.#failed(nowMs);
    else if (this.#state === 'half_open') this.#enter('open'); // the next call is the probe
  }

  #succeeded(): void {
    this.#consecutiveFailures = 0;
    if (this.#state === 'half_open') {
      this.#recent = [];
      this.#enter('closed');
    } else this.#remember(false);
  }

  #failed(nowMs: number): void {
    this.#consecutiveFailures++;
    this.#remember(true);
    if (this.#state === 'half_open' || (this.#state === 'closed' && this.#shouldOpen())) this.#open(nowMs);
  }

  #shouldOpen(): boolean {
    if (this.#consecutiveFailures >= this.#maxConsecutiveFailures) return true;
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
    this.#changes++;
    this.#onState(state, state === 'open' ? this.#lastFailure : undefined);
  }
}

/** One failure may be a connection that the partner closed just when it was used again. */
const minFailures = 2;

/** Each worker has its own breaker; up to 15 workers of a machine together open after at most 30 consecutive failures. */
export const maxConsecutiveFailures = (workers: number): number =>
  Math.min(10, Math.max(minFailures, Math.floor(30 / workers)));
