/** The auction log: collects entries, writes them in batches, and never delays a request. */

/** Where lines are written. */
export interface AuctionLogSink {
  /**
   * Writes whole lines; never rejects. Returns how many were written, the rest is lost; or why nothing was written, in
   * which case the same lines may be passed again.
   */
  write(lines: readonly string[]): Promise<number | Unavailable>;
  /** Later lines go to a newly opened destination. */
  reopen(): void;
}

export interface Unavailable {
  reason: string;
}

export interface AuctionLogParts {
  sink: AuctionLogSink;
  onDropped: (entries: number, reason: string) => void;
  /** Nothing is written or dropped any more. */
  onClosed: () => void;
  nowMs: () => number;
  /** Calls back after the delay. */
  schedule: (callback: () => void, delayMs: number) => void;
}

/** Entries that wait for their batch, the batch in progress included. */
export const maxEntries = 10_000;
export const maxBatchEntries = 500;
const batchMs = 100;
const retryMs = 250;
/** A destination that is unavailable for longer loses entries. */
export const maxWaitMs = 5_000;

/** A worker is killed 500 ms after the drain timeout. */
const maxCloseMs = 300;

interface Waiting {
  entry: object;
  addedAtMs: number;
}

export class AuctionLog {
  readonly #parts: AuctionLogParts;
  #waiting: Waiting[] = [];
  /** The entries of the batch that is being written, or that is written again. */
  #batch: { lines: string[]; addedAtMs: number } | undefined;
  #scheduled = false;
  #closing = false;
  #isClosed = false;
  #writing: Promise<void> | undefined;

  constructor(parts: AuctionLogParts) {
    this.#parts = parts;
  }

  /** The entry must not change any more; it is encoded later. */
  add(entry: object): void {
    if (this.#waiting.length + (this.#batch?.lines.length ?? 0) >= maxEntries) {
      this.#parts.onDropped(1, 'too many entries are waiting');
      return;
    }
    this.#waiting.push({ entry, addedAtMs: this.#parts.nowMs() });
    this.#scheduleWrite(batchMs);
  }

  reopen(): void {
    this.#parts.sink.reopen();
  }

  /** Writes what waits, each entry at most once more. Resolves after 300 ms even if a write hangs: its entries count as dropped. */
  async close(): Promise<void> {
    this.#closing = true;
    const timeout = Promise.withResolvers<void>();
    this.#parts.schedule(timeout.resolve, maxCloseMs);
    await Promise.race([this.#writeRest(), timeout.promise]);
    this.#isClosed = true;
    const rest = this.#waiting.length + (this.#batch?.lines.length ?? 0);
    if (rest > 0) this.#parts.onDropped(rest, 'they were not written before the worker ended');
    this.#parts.onClosed();
  }

  async #writeRest(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #scheduleWrite(delayMs: number): void {
    if (this.#scheduled || this.#writing) return;
    this.#scheduled = true;
    this.#parts.schedule(() => {
      this.#scheduled = false;
      void this.#write();
    }, delayMs);
  }

  async #write(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#writing) return this.#writing;
    const done = this.#writeAll();
    this.#writing = done;
    await done;
    this.#writing = undefined;
    if (this.#batch || this.#waiting.length > 0) this.#scheduleWrite(this.#batch ? retryMs : batchMs);
  }

  /** Until nothing waits, or the destination is unavailable. */
  async #writeAll(): Promise<void> {
    while ((this.#batch ??= this.#nextBatch())) {
      const { lines, addedAtMs } = this.#batch;
      const result = await this.#parts.sink.write(lines);
      if (this.#isClosed) return;
      if (typeof result === 'number') {
        if (result < lines.length) this.#parts.onDropped(lines.length - result, 'not all entries were written');
      } else {
        if (!this.#closing && this.#parts.nowMs() - addedAtMs < maxWaitMs) return;
        this.#parts.onDropped(lines.length, result.reason);
      }
      this.#batch = undefined;
    }
  }

  #nextBatch(): { lines: string[]; addedAtMs: number } | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const rest = this.#waiting.length > maxBatchEntries ? this.#waiting.splice(maxBatchEntries) : [];
    const lines = this.#waiting.map(({ entry }) => `${JSON.stringify(entry)}\n`);
    this.#waiting = rest;
    return { lines, addedAtMs: first.addedAtMs };
  }
}
