/** The connections to one server. Calls are written together, once per turn of the event loop. */
import { Connection, type ConnectionOwner, type Server } from './connection.ts';
import type { Failure, HttpCall } from './http-call.ts';

const sweepMs = 1_000;
/** A call without a response by then has no deadline, which is a defect of its caller. */
const maxCallSeconds = 6;
/** A server that cannot be reached gets at most this many connection attempts in addition to those of the waiting calls. */
const maxStalled = 8;

/** Unbounded by itself: there are at most as many connections as calls at a time. */
export class ConnectionPool implements ConnectionOwner {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  /** The one used last is used first, so that those that are not needed reach their age limit. */
  readonly #idle: Connection[] = [];
  /** The one that has waited longest is first. Not a Set, which may keep what was in it (decision 36). */
  readonly #waiting: HttpCall[] = [];
  /** Number of connections that are being opened, without the stalled ones. */
  #opening = 0;
  /** Still being opened when a call that waited for them was cancelled. Later calls do not wait for them, but use them once they are open. */
  readonly #stalled = new Set<Connection>();
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  get size(): number {
    return this.#connections.size;
  }

  send(call: HttpCall): void {
    this.#waiting.push(call);
    this.#schedule();
  }

  /** A call that is on a connection ends with it: its response would be taken for that of the next call. */
  cancel(call: HttpCall): void {
    const { connection } = call;
    if (connection) return connection.drop();
    const at = this.#waiting.indexOf(call);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    if (this.#opening > this.#waiting.length) this.#markOldestStalled();
  }

  #markOldestStalled(): void {
    if (this.#stalled.size >= maxStalled) return;
    for (const connection of this.#connections) {
      if (connection.isOpen || this.#stalled.has(connection)) continue;
      this.#stalled.add(connection);
      this.#opening--;
      return;
    }
  }

  onOpen(connection: Connection): void {
    this.#settleOpening(connection);
    this.onFree(connection);
  }

  onFree(connection: Connection): void {
    this.#idle.push(connection);
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** A useless connection fails the call that has waited longest, unless another one is being opened for it. */
  onClose(connection: Connection): void {
    this.#connections.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    if (!connection.isOpen) this.#settleOpening(connection);
    if (isUseless(connection)) this.#failWaiting(connection.isExhausted ? 'exhausted' : 'broken');
    if (this.#connections.size === 0) this.#stopTimer();
  }

  #settleOpening(connection: Connection): void {
    if (!this.#stalled.delete(connection)) this.#opening--;
  }

  /** Called once per second: closes what was idle for too long, or has reached the end of its life. */
  sweep(): void {
    for (const connection of this.#connections) {
      if (--connection.secondsLeft <= 0 && connection.isIdle) {
        connection.close();
        continue;
      }
      const maxAge = connection.isIdle ? connection.maxIdleSeconds : maxCallSeconds;
      if (connection.isOpen && ++connection.age >= maxAge) connection.close();
    }
  }

  /**
   * In between, the event loop reads from the sockets. So a connection that the server has closed, or on which it has sent what nobody
   * requested, is not used.
   */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    while (this.#waiting.length > 0) {
      const connection = this.#idle.pop();
      if (!connection) break;
      connection.start(this.#waiting.shift()!);
    }
    while (this.#opening < this.#waiting.length) this.#open();
  };

  #open(): void {
    this.#opening++;
    this.#connections.add(new Connection(this.#server, this));
    this.#timer ??= setInterval(() => this.sweep(), sweepMs).unref();
  }

  #failWaiting(failure: Failure): void {
    if (this.#waiting.length <= this.#opening) return;
    this.#waiting.shift()?.onFailure(failure);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** It could not be opened, or was closed as soon as it was: another one would hardly be better. */
const isUseless = ({ isOpen, isUsed, age }: Connection): boolean => !isOpen || (!isUsed && age === 0);
