/** Counts the pieces in which a body arrives: node:http reports each read, however few bytes it has. */

/** The smallest average, except for the first pieces. */
const minAverageBytes = 16;
const slack = 1_024;

export class PieceCount {
  bytes = 0;
  #pieces = 0;

  add({ length }: Buffer): void {
    this.bytes += length;
    this.#pieces++;
  }

  /** Whether the pieces are too small, even if the rest comes in one. */
  isExceeded(): boolean {
    return this.#pieces > slack + this.bytes / minAverageBytes;
  }
}
