/** Cuts the connections of clients that do not read their responses: after a timeout, or when the responses fill the memory. */
import type { ServerResponse } from 'node:http';
import { TransientSet } from '../memory/transient-set.ts';

export interface UnreadLimits {
  timeoutMs: number;
  /** For all unread responses of a worker together. */
  maxBytes: number;
}

interface Unread {
  response: ServerResponse;
  bytes: number;
}

export type CutReason = 'timeout' | 'memory';

export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #onCut: (reason: CutReason) => void;
  /** Oldest first. */
  readonly #open = new TransientSet<Unread>();
  #bytes = 0;

  constructor(limits: UnreadLimits, onCut: (reason: CutReason) => void) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  /** Called when the response has been written. The kernel takes most responses at once: they need no timer. */
  watch(response: ServerResponse): void {
    const bytes = response.writableLength;
    if (bytes === 0 || response.writableFinished || response.destroyed) return;
    const unread = { response, bytes };
    const timer = setTimeout(() => this.#cut(unread, 'timeout'), this.#limits.timeoutMs);
    this.#open.add(unread);
    this.#bytes += bytes;
    response.once('close', () => {
      clearTimeout(timer);
      this.#remove(unread);
    });
    while (this.#bytes > this.#limits.maxBytes) this.#cut(this.#open.oldest!, 'memory');
  }

  #cut(unread: Unread, reason: CutReason): void {
    this.#remove(unread);
    this.#onCut(reason);
    unread.response.req.socket.resetAndDestroy(); // the kernel drops what it holds, too
  }

  #remove(unread: Unread): void {
    if (this.#open.delete(unread)) this.#bytes -= unread.bytes;
  }
}
