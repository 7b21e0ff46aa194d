/** Pipelined requests wait: a connection has one request in progress at a time, however many its client sends at once. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BodyBuffers, OpenBody } from './body-buffers.ts';
import type { StartInTurn } from './hold-requests.ts';
import { handleOf } from './socket-handle.ts';

interface Waiting {
  response: ServerResponse;
  start: () => void;
  bytes: number;
}

export interface PipelineParts {
  buffers: BodyBuffers;
  /** Too many requests wait, or too many bytes of all connections: this one is to be cut. */
  onExcess: () => void;
  onEmpty: () => void;
  startInTurn: StartInTurn;
}

/** Requests that a client may send on one connection without waiting for a response: ten times its default tokens. */
const maxWaiting = 1_000;
/** If more wait, the connection is not read until few do: to read a request costs as much as to reject it. */
const readingStopsAt = 16;
const readingStartsAt = 8;

/** The waiting requests of one connection. It exists while there are any. */
export class Pipeline implements OpenBody {
  readonly #socket: Socket;
  readonly #parts: PipelineParts;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #isCountDue = false;
  #isStopped = false;

  /** `current` is the response that the waiting requests follow. */
  constructor(socket: Socket, current: ServerResponse, parts: PipelineParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#follow(current);
  }

  add(response: ServerResponse, start: () => void): void {
    this.#waiting.push({ response, start, bytes: 0 });
    if (this.#waiting.length > maxWaiting) return this.#parts.onExcess();
    if (this.#waiting.length > readingStopsAt && !this.#isStopped) this.#read(false);
    if (this.#isCountDue) return;
    this.#isCountDue = true;
    setImmediate(this.#count);
  }

  /** What the bodies really take, after each turn in which one began. node:http reads no more than 64 KiB of the last one. */
  readonly #count = (): void => {
    this.#isCountDue = false;
    if (this.#socket.destroyed) return; // what waits is given up, one request per turn
    let added = 0;
    for (const one of this.#waiting) {
      const bytes = one.response.req.readableLength;
      added += bytes - one.bytes;
      one.bytes = bytes;
    }
    if (added === 0) return;
    this.#bytes += added;
    this.#parts.buffers.markStalling(this);
    this.#parts.buffers.add(this, added);
  };

  evict(): void {
    this.#parts.buffers.remove(this, this.#bytes);
    for (const one of this.#waiting) one.bytes = 0;
    this.#bytes = 0;
    this.#parts.onExcess();
  }

  /** Whether so many requests wait that the connection is not read. */
  get isStopped(): boolean {
    return this.#isStopped;
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
    const [next] = this.#waiting;
    if (!next) {
      this.#parts.buffers.remove(this, 0);
      return this.#parts.onEmpty();
    }
    this.#parts.startInTurn(next.response.req, () => {
      this.#waiting.shift();
      this.#bytes -= next.bytes;
      this.#parts.buffers.subtract(next.bytes);
      next.start();
      this.#follow(next.response);
      if (this.#isStopped && this.#waiting.length <= readingStartsAt) this.#read(true);
    });
  }

  #read(isRead: boolean): void {
    this.#isStopped = !isRead;
    if (isRead) handleOf(this.#socket)?.readStart();
    else handleOf(this.#socket)?.readStop();
  }
}
