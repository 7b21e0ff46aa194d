/** Watches the memory of a child process: the heap after garbage collection, and the peak of the whole process. */

const mebibyte = 1024 * 1024;
/** Above what all bounded caches of a target hold together. */
const maxGrowthBytes = 48 * mebibyte;
/** In the second half of a run all caches are full. */
const maxLateGrowthBytes = 12 * mebibyte;
/** More than any single input may add to the peak. */
const maxPeakJumpBytes = 96 * mebibyte;

export class HeapWatch {
  #start: number | undefined;
  #middle: number | undefined;
  #peak = peakBytes();

  /** To be called when all code is loaded and the caches are filled. */
  markStart(): void {
    this.#start = heapAfterGc();
  }

  /** To be called in the middle of the run. */
  markMiddle(): void {
    this.#middle = heapAfterGc();
  }

  /** The problem, if the last input moved the peak of the process by more than an input may. */
  checkPeak(): string | undefined {
    const before = this.#peak;
    this.#peak = peakBytes();
    const jump = this.#peak - before;
    return jump > maxPeakJumpBytes ? `one input raised the peak memory by ${toMib(jump)} MiB` : undefined;
  }

  /** To be called at the end of the run. */
  finish(): { growthBytes: number; problem: string | undefined } {
    const end = heapAfterGc();
    const growthBytes = end - (this.#start ?? end);
    const lateBytes = end - (this.#middle ?? end);
    if (growthBytes > maxGrowthBytes) return { growthBytes, problem: `the heap grew by ${toMib(growthBytes)} MiB` };
    if (lateBytes > maxLateGrowthBytes) {
      return { growthBytes, problem: `the heap grew by ${toMib(lateBytes)} MiB in the second half of the run` };
    }
    return { growthBytes, problem: undefined };
  }
}

const toMib = (bytes: number): string => (bytes / mebibyte).toFixed(0);

/** Buffers included. The child runs with --expose-gc. */
function heapAfterGc(): number {
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const peakBytes = (): number => process.resourceUsage().maxRSS * 1024;
