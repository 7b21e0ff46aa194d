/** Pipelined requests wait: a connection has one request in progress at a time, however many its client sends at once. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  response: ServerResponse;
  start: () => void;
}

/** The waiting requests of one connection. It exists while there are any. */
export class Pipeline {
  readonly #socket: Socket;
  readonly #onEmpty: () => void;
  readonly #waiting: Waiting[] = [];

  /** `current` is the response that the waiting requests follow. */
  constructor(socket: Socket, current: ServerResponse, onEmpty: () => void) {
    this.#socket = socket;
    this.#onEmpty = onEmpty;
    this.#follow(current);
  }

  get length(): number {
    return this.#waiting.length;
  }

  add(response: ServerResponse, start: () => void): void {
    this.#waiting.push({ response, start });
  }

  /** Whether the request of this response still waits. */
  isWaiting(response: ServerResponse): boolean {
    return this.#waiting.some((one) => one.response === response);
  }

  /** On a closed connection no response is ever written, and the requests follow each other all the same. */
  #follow(response: ServerResponse): void {
    const next = () => setImmediate(() => this.#startNext());
    if (response.closed || this.#socket.destroyed) next();
    else response.once('close', next);
  }

  #startNext(): void {
    const next = this.#waiting.shift();
    if (!next) return this.#onEmpty();
    next.start();
    this.#follow(next.response);
  }
}
