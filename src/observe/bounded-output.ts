/** Writes lines to a file descriptor without ever waiting for its reader: lines beyond a bounded queue are dropped and counted. */

export interface OutputParts {
  /** Returns how many bytes were written; throws if none can be written now. */
  write(bytes: Buffer): number;
  /** Calls back after the delay; must not keep the process alive. */
  schedule(callback: () => void, delayMs: number): void;
  /** The line that reports dropped lines. */
  report(dropped: number): string;
}

export const maxQueuedBytes = 1_048_576;
const maxWriteBytes = 65_536;
/** Lines wait this long for others to be written with: one write per line costs more than the line. */
const batchMs = 10;
const firstRetryMs = 1;
/** A reader that returns waits at most this long for the next line. */
const maxRetryMs = 100;
const newline = 10;

export class BoundedOutput {
  readonly #parts: OutputParts;
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #scheduled = false;
  #retryMs = firstRetryMs;
  #dropped = 0;
  /** Dropped since the last report. Until the report is written, every line is dropped: lines stay in order. */
  #unreported = 0;

  constructor(parts: OutputParts) {
    this.#parts = parts;
  }

  /** The number of lines dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes one or more whole lines. */
  write(lines: string | Buffer): void {
    const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines;
    if (this.#unreported > 0 || this.#queuedBytes + bytes.length > maxQueuedBytes) this.#drop(bytes);
    else this.#enqueue(bytes);
    if (!this.#scheduled) this.#scheduleFlush(batchMs);
  }

  /** Writes as much as possible now. Returns the error that prevents more, undefined if all is written. */
  flush(): NodeJS.ErrnoException | undefined {
    for (;;) {
      const error = this.#writeQueue();
      if (error !== undefined || this.#unreported === 0) return error;
      const report = this.#parts.report(this.#unreported);
      this.#unreported = 0;
      this.#enqueue(Buffer.from(report));
    }
  }

  #enqueue(bytes: Buffer): void {
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
  }

  #drop(bytes: Buffer): void {
    const lines = Math.max(1, countLines(bytes)); // part of a very long line has no end
    this.#dropped += lines;
    this.#unreported += lines;
  }

  #scheduleFlush(delayMs: number): void {
    this.#scheduled = true;
    this.#parts.schedule(() => {
      this.#scheduled = false;
      if (this.flush() === undefined) this.#retryMs = firstRetryMs;
      else this.#retry();
    }, delayMs);
  }

  #retry(): void {
    this.#scheduleFlush(this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  #writeQueue(): NodeJS.ErrnoException | undefined {
    try {
      while (this.#queue.length > 0) {
        const bytes = this.#takeBatch();
        let written = 0;
        try {
          written = this.#parts.write(bytes);
        } finally {
          if (written < bytes.length) this.#queue.unshift(bytes.subarray(written));
          this.#queuedBytes -= written;
        }
        if (written === 0) throw new Error('nothing was written'); // some file systems report no error when they are full
        this.#retryMs = firstRetryMs; // the reader reads, if slowly
      }
      return undefined;
    } catch (error) {
      return error as NodeJS.ErrnoException;
    }
  }

  /** Removes the first buffers of the queue, as one. */
  #takeBatch(): Buffer {
    let count = 1;
    let bytes = this.#queue[0]!.length;
    while (count < this.#queue.length && bytes + this.#queue[count]!.length <= maxWriteBytes)
      bytes += this.#queue[count++]!.length;
    const buffers = this.#queue.splice(0, count);
    return count === 1 ? buffers[0]! : Buffer.concat(buffers, bytes);
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}
