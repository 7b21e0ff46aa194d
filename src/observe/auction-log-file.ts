/** The auction log in a file that all workers append to. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuctionLogSink, Unavailable } from './auction-log.ts';

const mode = 0o640;
const newline = 10;
/** A write of another worker takes less. */
const settleMs = 50;
/** A worker that ends waits for 300 ms in total. */
const maxLooks = 5;

type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

export class AuctionLogFile implements AuctionLogSink {
  readonly #path: string;
  readonly #open: OpenFile;
  #handle: Promise<FileHandle> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** A failed write may have left half a line at the end of the file. */
  #startsWithNewline = false;

  constructor(path: string, openFile: OpenFile = open) {
    this.#path = path;
    this.#open = openFile;
  }

  write(lines: readonly string[]): Promise<number | Unavailable> {
    const written = this.#append(lines);
    this.#writing = written;
    return written;
  }

  /** After a rename, lines of a write in progress still go to the renamed file. */
  reopen(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle) void this.#closeAfterWriting(handle);
  }

  /** One system call in append mode: lines of several workers do not mix. */
  async #append(lines: readonly string[]): Promise<number | Unavailable> {
    try {
      const handle = await (this.#handle ??= this.#openLog());
      const isNewLine = this.#startsWithNewline || (await endsInsideLine(handle));
      const bytes = Buffer.from((isNewLine ? '\n' : '') + lines.join(''));
      const { bytesWritten } = await handle.write(bytes);
      this.#startsWithNewline = bytesWritten < bytes.length;
      return bytesWritten < bytes.length ? countLines(bytes.subarray(0, bytesWritten), lines) : lines.length;
    } catch (error) {
      this.reopen(); // the next attempt opens the file again
      this.#startsWithNewline = true;
      return { reason: (error as Error).message };
    }
  }

  /** A file is read, too, if that is allowed. Another kind of destination is not: to read a pipe would take the lines from its reader. */
  async #openLog(): Promise<FileHandle> {
    const isFile = await stat(this.#path).then(
      (found) => found.isFile(),
      () => true,
    );
    if (!isFile) return this.#open(this.#path, 'a', mode);
    return this.#open(this.#path, 'a+', mode).catch(() => this.#open(this.#path, 'a', mode));
  }

  async #closeAfterWriting(handle: Promise<FileHandle>): Promise<void> {
    try {
      await this.#writing;
      await (await handle).close();
    } catch {
      // It was never open.
    }
  }
}

/**
 * Another worker, or an earlier process, may have written half a line before the disk was full. But a file also ends inside a line while another
 * worker writes to it: then it grows.
 */
async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  try {
    for (let look = 0, sizeBefore = 0; look < maxLooks; look++) {
      const found = await handle.stat();
      if (!found.isFile() || found.size === 0) return false;
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, found.size - 1);
      if (bytesRead !== 1 || buffer[0] === newline) return false;
      if (found.size === sizeBefore) return true;
      sizeBefore = found.size;
      await sleep(settleMs);
    }
    return false; // others write all the time
  } catch {
    return false; // it cannot be read
  }
}

/** The lines that are in the file as a whole. */
function countLines(written: Buffer, lines: readonly string[]): number {
  const text = written.toString('latin1');
  const newlines = text.split('\n').length - 1;
  return Math.min(lines.length, text.startsWith('\n') ? newlines - 1 : newlines);
}
