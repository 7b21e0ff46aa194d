/** Caps the bytes that unfinished bodies hold in a worker: clients that stall their bodies cannot exhaust its memory. */

/** A body that is still being received. */
export interface OpenBody {
  /** Releases the memory of the body and ends its request. */
  evict: () => void;
}

export class BodyBuffers {
  readonly #maxBytes: number;
  /** Oldest first: a body that stalls grows old, and all others arrive within milliseconds. */
  readonly #stalling = new Set<OpenBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of all unfinished bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Called for every chunk. Over the cap, the oldest body is evicted, which may be `body` itself. */
  add(body: OpenBody, bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) {
      const [oldest = body] = this.#stalling;
      oldest.evict();
      if (oldest === body) return;
    }
  }

  /** The body has not arrived within the turn of the event loop in which it began. */
  markStalling(body: OpenBody): void {
    this.#stalling.add(body);
  }

  /** The body is complete or given up; `bytes` is the sum of what was added for it. */
  remove(body: OpenBody, bytes: number): void {
    this.#bytes -= bytes;
    this.#stalling.delete(body);
  }
}
