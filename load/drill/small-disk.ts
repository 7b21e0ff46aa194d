/** A file system of 4 MiB that can be filled and freed. Mounting one needs root. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const canMount = process.getuid?.() === 0;

export class SmallDisk {
  readonly folder: string;
  readonly #ballast: string;

  constructor(parent: string) {
    this.folder = join(parent, 'disk');
    this.#ballast = join(this.folder, 'ballast');
    mkdirSync(this.folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', this.folder]);
  }

  fill(): void {
    const fd = openSync(this.#ballast, 'w');
    try {
      for (;;) writeSync(fd, Buffer.alloc(4_096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(fd);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Also if a file of it is still open. */
  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder]);
  }
}
