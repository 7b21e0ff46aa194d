/** Receives the bytes of a body, within limits on size, time, number of pieces and memory. */
import type { IncomingMessage } from 'node:http';
import { freeBytes } from '../bytes/free-bytes.ts';
import { largeBytes } from '../pacing/pacer.ts';
import type { BodyBuffers } from './body-buffers.ts';
import { dropBodyAndClose } from './drop-body.ts';
import { PieceCount } from './piece-count.ts';
import type { BodyError } from './read-body.ts';

export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
  /** Shared by all request bodies of a worker. */
  buffers: BodyBuffers;
}

/** The bytes belong to who receives them. `aborted`: the client has left. */
export type Received = Buffer | BodyError | 'aborted';

/** Collects the pieces; the events of the request and the timeout settle one promise. */
export class BodyReceiver {
  readonly #request: IncomingMessage;
  readonly #limits: BodyLimits;
  /** Called once, when the body turns out to be large: its headers may not state a length. Returns the error that ends it, if any. */
  readonly #checkLarge: () => BodyError | undefined;
  readonly #count = new PieceCount();
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  #received: PromiseWithResolvers<Received> | undefined = Promise.withResolvers();
  #timer: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, limits: BodyLimits, checkLarge: () => BodyError | undefined) {
    this.#request = request;
    this.#limits = limits;
    this.#checkLarge = checkLarge;
    request.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore);
    afterThisTurn(this.#watch);
  }

  /** To be called right after the constructor. */
  get received(): Promise<Received> {
    return this.#received!.promise;
  }

  evict(): void {
    this.reject({ error: 'server.bodyMemory' });
  }

  /** The rest of the body stays unread until the response decides about the connection. */
  reject(error: BodyError): void {
    this.#request.off('data', this.#onData).off('end', this.#onEnd).pause();
    this.#finish(error);
  }

  readonly #onData = (piece: Buffer): void => {
    const wasLarge = this.#count.bytes > largeBytes;
    this.#count.add(piece);
    if (this.#count.bytes > this.#limits.maxBytes) return this.reject({ error: 'http.tooLarge' });
    if (this.#count.isExceeded()) {
      dropBodyAndClose(this.#request.socket);
      return this.reject({ error: 'http.smallChunks' });
    }
    const refused = wasLarge || this.#count.bytes <= largeBytes ? undefined : this.#checkLarge();
    if (refused) return this.reject(refused);
    this.#pieces.push(piece);
    this.#heldBytes += piece.length + pieceOverheadBytes;
    this.#limits.buffers.add(this, piece.length + pieceOverheadBytes);
  };

  readonly #onEnd = (): void => {
    this.#finish(this.#pieces.length === 1 ? this.#pieces.pop()! : Buffer.concat(this.#pieces, this.#count.bytes));
  };

  /** Most bodies are complete in the turn of the event loop in which they begin: only the others need a timer. */
  readonly #watch = (): void => {
    if (!this.#received) return;
    if (this.#request.destroyed) return this.#finish('aborted');
    this.#timer = setTimeout(() => this.reject({ error: 'http.bodyTimeout' }), this.#limits.timeoutMs);
    this.#request.on('close', () => this.#finish('aborted'));
    this.#limits.buffers.markStalling(this);
  };

  #finish(received: Received): void {
    if (!this.#received) return;
    clearTimeout(this.#timer);
    this.#limits.buffers.remove(this, this.#heldBytes);
    this.#received.resolve(received);
    // The connection keeps the receiver until its next request: not the body too.
    this.#received = undefined;
    this.#pieces.forEach(freeBytes);
    this.#pieces = [];
  }
}

/** About what a Buffer object takes beside its bytes. */
const pieceOverheadBytes = 320;

const ignore = () => {};

let nextTurn: (() => void)[] = [];

function afterThisTurn(run: () => void): void {
  if (nextTurn.push(run) === 1) setImmediate(runNextTurn);
}

function runNextTurn(): void {
  const all = nextTurn;
  nextTurn = [];
  for (const run of all) run();
}
