/** The response times of one partner, learned from its calls in this worker: how long is it worth waiting for? */

/** A call weighs half as much after 69 further calls. */
const decay = 0.99;
/** Each bucket is a fifth wider than the one before. */
const growth = 2 ** 0.25;
const firstBoundMs = 1;
/** A bucket counts only if the weight of the calls that reached it exceeds this. Until then the auction waits. */
const minWeight = 2;
/** Stop waiting when the probability of a response within the soft budget falls below this. */
const minLikelihood = 0.2;
/** Wait for this share of the responses within the soft budget, even if the others are unlikely. */
const coveredShare = 0.98;
const margin = 1.25;
/** The soft budget starts with the request, a call a little later. */
const overShare = 0.9;
/** A pause of the garbage collector, here or at the partner, takes about as long. */
const minDeadlineMs = 10;

/**
 * A histogram from which calls of unknown length, those that were cancelled, are not left out: for each bucket it has the calls that
 * were open at its start, and how many of them ended in it (the Kaplan-Meier estimator). A cancelled call counts as open until then.
 */
export class ResponseTimes {
  readonly #budgetMs: number;
  /** The upper ends of the buckets. The last one is the soft budget: all later responses count as none. */
  readonly #bounds: readonly number[];
  readonly #open: Float64Array;
  readonly #ended: Float64Array;
  /** Computed when it is read for the first time after a call. */
  #deadlineMs: number | undefined;

  constructor(softTimeoutMs: number) {
    this.#budgetMs = softTimeoutMs;
    this.#bounds = boundsUpTo(softTimeoutMs);
    this.#open = new Float64Array(this.#bounds.length);
    this.#ended = new Float64Array(this.#bounds.length);
  }

  /** The partner responded, or the call failed: it ended by itself. */
  ended(durationMs: number): void {
    this.#age();
    for (const [index, upper] of this.#bounds.entries()) {
      this.#open[index]! += 1;
      if (durationMs > upper) continue;
      this.#ended[index]! += 1;
      return;
    }
  }

  /** The call was cancelled: its response would have taken longer. */
  cancelled(durationMs: number): void {
    this.#age();
    let lower = 0;
    for (const [index, upper] of this.#bounds.entries()) {
      this.#open[index]! += Math.min(1, (durationMs - lower) / (upper - lower));
      if (durationMs < upper) return;
      lower = upper;
    }
  }

  /** Whether a call that is open for so long can hardly end within the soft budget. */
  isOver(durationMs: number): boolean {
    return durationMs >= overShare * this.#budgetMs;
  }

  /** How long an auction that has a valid bid waits for the partner, from the start of the call; 0 if not at all. */
  get deadlineMs(): number {
    this.#deadlineMs ??= this.#computeDeadline();
    return this.#deadlineMs;
  }

  #age(): void {
    this.#deadlineMs = undefined;
    for (let index = 0; index < this.#bounds.length; index++) {
      this.#open[index]! *= decay;
      this.#ended[index]! *= decay;
    }
  }

  #computeDeadline(): number {
    const likelihoods = this.#likelihoods();
    const unlikely = likelihoods.findIndex((likelihood, index) => likelihood < minLikelihood && this.#isKnown(index));
    if (unlikely === -1) return this.#budgetMs;
    if (unlikely === 0) return 0;
    const unlikelyFromMs = this.#bounds[unlikely - 1]!;
    return Math.min(Math.max(unlikelyFromMs, this.#usualMs() * margin, minDeadlineMs), this.#budgetMs);
  }

  #isKnown(index: number): boolean {
    return this.#open[index]! > minWeight;
  }

  /** For each bucket: how likely a call that is open at its start ends within the soft budget. */
  #likelihoods(): Float64Array {
    const likelihoods = new Float64Array(this.#bounds.length);
    let stillOpen = 1;
    for (let index = this.#bounds.length - 1; index >= 0; index--) {
      stillOpen *= 1 - this.#shareEnded(index);
      likelihoods[index] = 1 - stillOpen;
    }
    return likelihoods;
  }

  /** By when most of those have ended that end within the soft budget. */
  #usualMs(): number {
    let stillOpen = 1;
    const ended = this.#bounds.map((_upper, index) => 1 - (stillOpen *= 1 - this.#shareEnded(index)));
    return this.#bounds[ended.findIndex((share) => share >= ended.at(-1)! * coveredShare)]!;
  }

  /** The share of the calls open at the start of the bucket that ended in it. */
  #shareEnded(index: number): number {
    const open = this.#open[index]!;
    return open === 0 ? 0 : this.#ended[index]! / open;
  }
}

function boundsUpTo(budgetMs: number): number[] {
  const bounds: number[] = [];
  for (let bound = firstBoundMs; bound < budgetMs; bound *= growth) bounds.push(bound);
  return [...bounds, budgetMs];
}
