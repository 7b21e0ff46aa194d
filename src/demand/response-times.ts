/** The response times of one partner, learned from its calls in this worker: how long is it worth waiting for? */

/** A call weighs half as much after 69 further calls. */
const decay = 0.99;
/** Each bucket is a fifth wider than the one before. */
const growth = 2 ** 0.25;
const firstBoundMs = 1;
/** Until then the whole soft budget is waited for. */
const minCalls = 10;
/** A partner that responds to fewer of its calls within the soft budget is not waited for. */
const minLikelihood = 0.2;
/** Of the bids within the soft budget, the share that is waited for; the rest would cost too much time. */
const coveredShare = 0.98;
const margin = 1.25;
/** The soft budget starts with the request, a call a little later. */
const overShare = 0.9;
/** A pause of the garbage collector, here or at the partner, takes about as long. */
const minDeadlineMs = 10;

/**
 * A response without a bid says that the partner is alive, not how long its bids take: a caller whose requests a partner dismisses at once must
 * not shorten the wait for the bids that others would get.
 */
export class ResponseTimes {
  readonly #budgetMs: number;
  readonly #responses: Durations;
  readonly #bids: Durations;
  /** Computed when it is read for the first time after a call. */
  #deadlineMs: number | undefined;

  constructor(softTimeoutMs: number) {
    const bounds = boundsUpTo(softTimeoutMs);
    this.#budgetMs = softTimeoutMs;
    this.#responses = new Durations(bounds);
    this.#bids = new Durations(bounds);
  }

  /** The partner responded, or the call failed: it ended by itself. */
  ended(durationMs: number): void {
    this.#deadlineMs = undefined;
    this.#responses.ended(durationMs);
  }

  /** The response, which has ended too, had a bid. */
  bid(durationMs: number): void {
    this.#deadlineMs = undefined;
    this.#bids.ended(durationMs);
  }

  /** The call was cancelled: its response would have taken longer. */
  cancelled(durationMs: number): void {
    this.#deadlineMs = undefined;
    this.#responses.cancelled(durationMs);
    this.#bids.cancelled(durationMs);
  }

  /** Whether a call that is open for so long can hardly end within the soft budget. */
  isOver(durationMs: number): boolean {
    return durationMs >= overShare * this.#budgetMs;
  }

  /** How long an auction that has a valid bid waits for the partner, from the start of the call; 0 if not at all. */
  get deadlineMs(): number {
    this.#deadlineMs ??= this.#responses.count < minCalls ? this.#budgetMs : this.#computeDeadline();
    return this.#deadlineMs;
  }

  #computeDeadline(): number {
    if (this.#responses.likelihoods().at(-1)! < minLikelihood) return 0;
    const usualMs = Math.max(
      this.#bids.endedCount > 0 ? this.#bids.quantileMs(coveredShare) : 0,
      this.#bids.endedCount < minCalls ? this.#responses.quantileMs(coveredShare) : 0,
    );
    return Math.min(Math.max(usualMs * margin, minDeadlineMs), this.#budgetMs);
  }
}

/**
 * A histogram from which calls of unknown length, those that were cancelled, are not left out: for each bucket it has the calls that
 * were open at its start, and how many of them ended in it (the Kaplan-Meier estimator). A cancelled call counts as open until then.
 */
class Durations {
  count = 0;
  endedCount = 0;
  /** The upper ends of the buckets. The last one is the soft budget: all later responses count as none. */
  readonly #bounds: readonly number[];
  readonly #open: Float64Array;
  readonly #ended: Float64Array;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#open = new Float64Array(bounds.length);
    this.#ended = new Float64Array(bounds.length);
  }

  ended(durationMs: number): void {
    this.count++;
    this.endedCount++;
    for (const [index, upper] of this.#bounds.entries()) {
      if (durationMs <= upper) return this.#add(index, 1, 1);
      this.#add(index, 1, 0);
    }
  }

  cancelled(durationMs: number): void {
    this.count++;
    let lower = 0;
    for (const [index, upper] of this.#bounds.entries()) {
      if (durationMs < upper) return this.#add(index, (durationMs - lower) / (upper - lower), 0);
      this.#add(index, 1, 0);
      lower = upper;
    }
  }

  /** By when this share of those has ended that end within the soft budget; the first bound if none does. */
  quantileMs(share: number): number {
    const likelihoods = this.likelihoods();
    return this.#bounds[likelihoods.findIndex((likelihood) => likelihood >= likelihoods.at(-1)! * share)]!;
  }

  /** The likelihood of an end by the end of each bucket. */
  likelihoods(): number[] {
    let open = 1;
    return this.#bounds.map((_upper, index) => {
      const atRisk = this.#open[index]!;
      if (atRisk > 0) open *= 1 - this.#ended[index]! / atRisk;
      return 1 - open;
    });
  }

  /** `weight` is the part of the bucket during which the call was open. */
  #add(index: number, weight: number, ended: number): void {
    const kept = 1 - (1 - decay) * weight;
    this.#open[index] = this.#open[index]! * kept + weight;
    this.#ended[index] = this.#ended[index]! * kept + ended;
  }
}

function boundsUpTo(budgetMs: number): number[] {
  const bounds: number[] = [];
  for (let bound = firstBoundMs; bound < budgetMs; bound *= growth) bounds.push(bound);
  return [...bounds, budgetMs];
}
