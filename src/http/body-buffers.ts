/** Caps the bytes that bodies hold in a worker before they are used: clients that stall or pipeline them cannot exhaust its memory. */
import { TransientSet } from '../memory/transient-set.ts';

/** A body that is still being received, or the bodies of the requests that wait on a connection. */
export interface OpenBody {
  /** Releases the memory and ends the request, or the connection. */
  evict: () => void;
}

export class BodyBuffers {
  readonly #maxBytes: number;
  /** Oldest first: a body that stalls grows old, and all others arrive within milliseconds. */
  readonly #stalling = new TransientSet<OpenBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes that all bodies hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Called for every chunk. Over the cap, the oldest body is evicted, which may be `body` itself. */
  add(body: OpenBody, bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#stalling.oldest ?? body;
      oldest.evict();
      if (oldest === body) return;
    }
  }

  /** The body has not arrived within the turn of the event loop in which it began. */
  markStalling(body: OpenBody): void {
    this.#stalling.add(body);
  }

  /** Some bytes of a body that stays are used. */
  subtract(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** The body is complete or given up; `bytes` is the sum of what was added for it. */
  remove(body: OpenBody, bytes: number): void {
    this.#bytes -= bytes;
    this.#stalling.delete(body);
  }
}
