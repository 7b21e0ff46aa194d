/** Counts the chunks of a body: in small chunks it costs many times what its bytes cost. */
import type { IncomingHttpHeaders } from 'node:http';

/** The smallest average that a chunked body may have. */
export const minAverageBytes = 16;
/** node:http reports a chunk that the network splits in two as two: one split per this many bytes is tolerated. */
const bytesPerSplit = 1_024;
/** A full body of the smallest chunks would take more than 50 ms. */
export const maxChunks = 8_192;
/** How many chunks may be small before the average counts. */
const slack = { chunked: 32, plain: 1_024 };

/** node:http rejects a transfer encoding that does not end in `chunked`. */
export const isChunked = (headers: IncomingHttpHeaders): boolean => headers['transfer-encoding'] !== undefined;

/** Counts the chunks of a body, which node:http reports one by one. A body with a length has only those that the network makes. */
export class ChunkCount {
  bytes = 0;
  chunks = 0;
  readonly #isChunked: boolean;

  constructor({ headers }: { headers: IncomingHttpHeaders }) {
    this.#isChunked = isChunked(headers);
  }

  add({ length }: Buffer): void {
    this.bytes += length;
    this.chunks++;
  }

  /** Whether the chunks so far are too many, even if the rest comes in one. */
  isExceeded(): boolean {
    const extra = this.#isChunked ? slack.chunked : slack.plain;
    if (this.chunks <= extra) return false;
    return this.chunks > maxChunks + this.#splits() || this.chunks > extra + this.#allowed();
  }

  isExceededAtEnd(): boolean {
    return this.#isChunked && this.chunks > 1 && this.chunks > this.#allowed();
  }

  #allowed(): number {
    return Math.ceil(this.bytes / minAverageBytes) + this.#splits();
  }

  #splits(): number {
    return Math.floor(this.bytes / bytesPerSplit);
  }
}
