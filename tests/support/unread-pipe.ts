/** A named pipe for the standard streams of a child process, read only when the test wants it. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class UnreadPipe {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gavel-pipe-'));
  readonly #path = join(this.#folder, 'pipe');
  #reader: number | undefined;
  /** For `stdio` of the child process. */
  readonly writer: number;

  constructor() {
    execFileSync('mkfifo', [this.#path]);
    this.open();
    this.writer = openSync(this.#path, constants.O_WRONLY);
  }

  /** Opens the reading end; the constructor does it for the first time. */
  open(): void {
    this.#reader = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
  }

  /** Closes the reading end: writers get EPIPE. */
  close(): void {
    if (this.#reader !== undefined) closeSync(this.#reader);
    this.#reader = undefined;
  }

  /** Writes until the buffer of the kernel is full. */
  fill(): void {
    const fd = openSync(this.#path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      for (let bytes = 4_096; bytes > 0; bytes = bytes > 1 ? bytes / 2 : 0) fillWith(fd, Buffer.alloc(bytes, '\n'));
    } finally {
      closeSync(fd);
    }
  }

  /** Returns what the buffer holds now; '' if it is empty. */
  read(): string {
    const buffer = Buffer.alloc(1_048_576);
    try {
      return buffer.toString('utf8', 0, readSync(this.#reader!, buffer));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
      throw error;
    }
  }

  delete(): void {
    this.close();
    closeSync(this.writer);
    rmSync(this.#folder, { recursive: true });
  }
}

function fillWith(fd: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}
