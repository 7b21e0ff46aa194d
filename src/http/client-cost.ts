/** Whether the requests of a client are costly: then they wait for their turn, like large bodies. */

/** In milliseconds. */
export type CostClock = () => number;

const elapsedMs: CostClock = () => performance.now();

/** Not the time in which the operating system ran something else. Takes about a microsecond to read, too much for every request. */
const cpuMs: CostClock = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** About ten times what an ordinary request takes. */
const costlyMs = 3;
/** The weight of the latest request in the mean. */
const costWeight = 1 / 8;
/** A request counts as no more, so that one during a collection of garbage makes no client costly: six in a row do. */
const maxCostMs = 8;
/** Where the mean of CPU time begins: two costly requests confirm that the client is. */
const suspectMs = costlyMs / 2;

/** What a request took at most: elapsed time includes that in which the operating system ran something else. */
export const plausibleMs = (clock: CostClock, tookMs: number): number =>
  clock === elapsedMs ? Math.min(tookMs, costlyMs) : tookMs;

/** The mean of a client's recent requests: of elapsed time, and once that is long, of CPU time. */
export class ClientCost {
  #clock = elapsedMs;
  #meanMs = 0;

  /** For the next request. */
  get clock(): CostClock {
    return this.#clock;
  }

  get isCostly(): boolean {
    return this.#clock === cpuMs && this.#meanMs > costlyMs;
  }

  /** A request has ended that took `costMs` by this clock. */
  charge(clock: CostClock, costMs: number): void {
    if (clock !== this.#clock) return; // started before the clock was changed
    this.#meanMs += (Math.min(costMs, maxCostMs) - this.#meanMs) * costWeight;
    if (clock === elapsedMs && this.#meanMs > costlyMs) this.#change(cpuMs, suspectMs);
    else if (clock === cpuMs && this.#meanMs < costlyMs / 4) this.#change(elapsedMs, 0);
  }

  #change(clock: CostClock, meanMs: number): void {
    this.#clock = clock;
    this.#meanMs = meanMs;
  }
}
