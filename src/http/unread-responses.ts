/** Cuts the connections of clients that do not read their responses: after a timeout, or when the responses fill the memory. */
import type { ServerResponse } from 'node:http';

export interface UnreadLimits {
  timeoutMs: number;
  /** For all unread responses of a worker together. */
  maxBytes: number;
}

export type CutReason = 'timeout' | 'memory';

export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #onCut: (reason: CutReason) => void;
  /** With their bytes; oldest first. */
  readonly #open = new Map<ServerResponse, number>();
  #bytes = 0;

  constructor(limits: UnreadLimits, onCut: (reason: CutReason) => void) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  /** Called when the response has been written. The kernel takes most responses at once: they need no timer. */
  watch(response: ServerResponse): void {
    const bytes = response.writableLength;
    if (bytes === 0 || response.writableFinished || response.destroyed) return;
    const timer = setTimeout(() => this.#cut(response, 'timeout'), this.#limits.timeoutMs);
    this.#open.set(response, bytes);
    this.#bytes += bytes;
    response.once('close', () => {
      clearTimeout(timer);
      this.#remove(response);
    });
    while (this.#bytes > this.#limits.maxBytes) {
      const [oldest] = this.#open.keys();
      this.#cut(oldest!, 'memory');
    }
  }

  #cut(response: ServerResponse, reason: CutReason): void {
    this.#remove(response);
    this.#onCut(reason);
    response.req.socket.resetAndDestroy(); // the kernel drops what it holds, too
  }

  #remove(response: ServerResponse): void {
    this.#bytes -= this.#open.get(response) ?? 0;
    this.#open.delete(response);
  }
}
