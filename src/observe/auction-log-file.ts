/** The auction log in a file that all workers append to. */
import { type FileHandle, open } from 'node:fs/promises';
import type { AuctionLogSink, Unavailable } from './auction-log.ts';

const mode = 0o640;

type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

export class AuctionLogFile implements AuctionLogSink {
  readonly #path: string;
  readonly #open: OpenFile;
  #handle: Promise<FileHandle> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** A failed write of this or of another worker may have left half a line at the end of the file. */
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
    const bytes = Buffer.from((this.#startsWithNewline ? '\n' : '') + lines.join(''));
    try {
      const handle = await (this.#handle ??= this.#open(this.#path, 'a', mode));
      const { bytesWritten } = await handle.write(bytes);
      this.#startsWithNewline = bytesWritten < bytes.length;
      return bytesWritten < bytes.length ? countLines(bytes.subarray(0, bytesWritten), lines) : lines.length;
    } catch (error) {
      this.reopen(); // the next attempt opens the file again
      this.#startsWithNewline = true;
      return { reason: (error as Error).message };
    }
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

/** The lines that are in the file as a whole. */
function countLines(written: Buffer, lines: readonly string[]): number {
  const text = written.toString('latin1');
  const newlines = text.split('\n').length - 1;
  return Math.min(lines.length, text.startsWith('\n') ? newlines - 1 : newlines);
}
