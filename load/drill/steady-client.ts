/** A client that sends requests at fixed times, most on kept connections and some on fresh ones, whatever happens. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResponseReader } from '../siege/traffic/response-reader.ts';
import type { Result, SentRequest } from './fault.ts';

/** Of each five requests, one has a connection of its own. */
const freshEvery = 5;
const keptConnections = 16;
const turnMs = 3;
/** If this process was delayed for longer, no request is given up in that turn. */
const maxLagMs = 50;
/** A client gives up a request this long after it was due, and closes its connection. */
export const timeoutMs = 1_000;

type OnResult = (result: Result, isReusable: boolean) => void;

interface Pending {
  dueAtMs: number;
  isFresh: boolean;
  connection: Connection;
}

class Connection {
  readonly #socket: Socket;
  #onResult: OnResult | undefined;
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let failure: Result = 'closed';
    const reader = new ResponseReader(({ status, closes }) => {
      this.#finish(status === 200 || status === 204 ? 'succeeded' : `status ${status}`, !closes);
    });
    this.#socket.on('data', (chunk: Buffer) => reader.read(chunk));
    this.#socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') failure = 'refused';
    });
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#finish(failure, false);
    });
  }

  send(request: Buffer, onResult: OnResult): void {
    this.#onResult = onResult;
    this.#socket.write(request);
  }

  /** Without a result. */
  close(): void {
    this.isOpen = false;
    this.#onResult = undefined;
    this.#socket.destroy();
  }

  #finish(result: Result, isReusable: boolean): void {
    const onResult = this.#onResult;
    this.#onResult = undefined;
    onResult?.(result, isReusable);
  }
}

export class SteadyClient {
  readonly #port: number;
  readonly #requests: readonly Buffer[];
  readonly #free: Connection[] = [];
  /** In the order in which they were due. */
  readonly #pending = new Set<Pending>();
  readonly #sent: SentRequest[] = [];
  #perSecond: number;
  #nextDueMs = 0;
  #previousTurnMs = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(port: number, requests: readonly Buffer[], perSecond: number) {
    this.#port = port;
    this.#requests = requests;
    this.#perSecond = perSecond;
  }

  start(): void {
    for (let i = 0; i < keptConnections; i++) this.#free.push(new Connection(this.#port));
    this.#nextDueMs = performance.now();
    this.#timer = setInterval(() => this.#turn(performance.now()), turnMs);
  }

  setRate(perSecond: number): void {
    this.#perSecond = perSecond;
  }

  /** What became of the requests so far. */
  get sent(): readonly SentRequest[] {
    return this.#sent;
  }

  /** Sends no further requests; resolves when each has its result. */
  async stop(): Promise<void> {
    this.#perSecond = 0;
    while (this.#pending.size > 0) await sleep(turnMs);
    clearInterval(this.#timer);
    for (const connection of this.#free) connection.close();
  }

  #turn(nowMs: number): void {
    for (; this.#perSecond > 0 && this.#nextDueMs <= nowMs; this.#nextDueMs += 1_000 / this.#perSecond)
      this.#send(this.#nextDueMs);
    const lagMs = nowMs - this.#previousTurnMs;
    this.#previousTurnMs = nowMs;
    if (lagMs > maxLagMs) return; // responses that arrived meanwhile are read first
    for (const pending of this.#pending) {
      if (pending.dueAtMs > nowMs - timeoutMs) break;
      pending.connection.close();
      this.#settle(pending, 'timedOut');
    }
  }

  #send(dueAtMs: number): void {
    const request = this.#requests[this.#count++ % this.#requests.length]!;
    const isFresh = this.#count % freshEvery === 0;
    const connection = (isFresh ? undefined : this.#takeFree()) ?? new Connection(this.#port);
    const pending: Pending = { dueAtMs, isFresh, connection };
    this.#pending.add(pending);
    connection.send(isFresh ? withClose(request) : request, (result, isReusable) => {
      this.#settle(pending, result);
      if (isReusable && !isFresh && this.#perSecond > 0) this.#free.push(connection);
      else connection.close();
    });
  }

  /** The one that was idle for longest, so that all are used. */
  #takeFree(): Connection | undefined {
    while (this.#free.length > 0) {
      const connection = this.#free.shift()!;
      if (connection.isOpen) return connection;
    }
    return undefined;
  }

  #settle(pending: Pending, result: Result): void {
    const { dueAtMs, isFresh } = pending;
    this.#pending.delete(pending);
    this.#sent.push({ dueAtMs, isFresh, result, doneAtMs: performance.now() });
  }
}

const withClose = (request: Buffer): Buffer =>
  Buffer.from(request.toString('latin1').replace('\r\n', '\r\nConnection: close\r\n'), 'latin1');
