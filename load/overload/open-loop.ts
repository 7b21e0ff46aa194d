/** Sends requests at fixed times, whether or not earlier ones got their responses; latency counts from when a request was due. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Connection, type Result } from './connection.ts';
import { Queue } from './queue.ts';
import type { Clients } from './settings.ts';

export interface Load {
  port: number;
  clients: Clients;
  /** Infinity: each connection sends its next request as soon as it has a response. */
  perSecond: number;
  seconds: number;
  requests: readonly { keepAlive: Buffer; fresh: Buffer }[];
}

export interface Outcome {
  seconds: number;
  due: number;
  counts: Record<Result | 'timedOut', number>;
  /** Of those that succeeded, in milliseconds, ascending. */
  latencies: number[];
  /** Whether each request succeeded, by the time at which it was due. */
  successes: { dueAtMs: number; isSuccess: boolean }[];
  /** By how much the generator itself was late at worst. */
  generatorLagMs: number;
}

interface Pending {
  dueAtMs: number;
  connection: Connection | undefined;
  isDone: boolean;
}

/**
 * A port of an address is usable again only after a minute, and the fewer are left, the longer the kernel looks for one, up to seconds. So fresh connections
 * come from many addresses, and each load of kept ones from another.
 */
const freshAddresses = Array.from({ length: 200 }, (_, i) => `127.0.1.${i + 1}`);
const keptAddresses = Array.from({ length: 200 }, (_, i) => `127.0.2.${i + 1}`);
const connectBatch = 100;
const maxConnectMs = 1_000; // of a batch
let keptLoads = 0;

export async function offer(load: Load): Promise<Outcome> {
  return new OpenLoop(load).run();
}

class OpenLoop {
  readonly #load: Load;
  readonly #free = new Queue<Connection>();
  readonly #busy = new Map<Connection, Pending>();
  /** In the order in which they were due. */
  readonly #unsent = new Queue<Pending>();
  readonly #inTime = new Queue<Pending>();
  readonly #outcome: Outcome;
  readonly #addresses: readonly string[];
  #open = 0;
  #opened = 0;
  #isOver = false;

  constructor(load: Load) {
    this.#load = load;
    this.#addresses = load.clients.isFresh ? freshAddresses : [keptAddresses[keptLoads++ % keptAddresses.length]!];
    const counts = { succeeded: 0, shed: 0, failed: 0, closed: 0, timedOut: 0 };
    this.#outcome = { seconds: load.seconds, due: 0, counts, latencies: [], successes: [], generatorLagMs: 0 };
  }

  async run(): Promise<Outcome> {
    const { perSecond, seconds, clients } = this.#load;
    if (!clients.isFresh) await this.#connectAll();
    const startedAtMs = performance.now();
    const endAtMs = startedAtMs + seconds * 1_000;
    let previousMs = startedAtMs;
    for (let nowMs = startedAtMs; nowMs < endAtMs; nowMs = performance.now()) {
      this.#outcome.generatorLagMs = Math.max(this.#outcome.generatorLagMs, nowMs - previousMs);
      previousMs = nowMs;
      if (perSecond === Infinity) this.#saturate(nowMs);
      else this.#addDue(startedAtMs, Math.min(((nowMs - startedAtMs) * perSecond) / 1_000, perSecond * seconds));
      this.#expire(nowMs);
      this.#sendUnsent();
      await (perSecond === Infinity ? nextTurn() : sleep(1));
    }
    await this.#finish();
    this.#outcome.latencies.sort((a, b) => a - b);
    return this.#outcome;
  }

  /** Each connection gets a request before the load, as a kept one has had: the exchange closes it if the first does not come within 3 s. */
  async #connectAll(): Promise<void> {
    const { requests, clients } = this.#load;
    for (let count = 0; count < clients.connections; count += connectBatch) {
      const batch = Array.from({ length: Math.min(connectBatch, clients.connections - count) }, () => this.#connect());
      for (const [index, one] of batch.entries()) one.send(requests[(count + index) % requests.length]!.keepAlive);
      const endAtMs = performance.now() + maxConnectMs;
      while (batch.some(({ isBusy }) => isBusy) && performance.now() < endAtMs) await sleep(1);
    }
  }

  #connect(): Connection {
    this.#open++;
    return new Connection(
      this.#load.port,
      this.#addresses[this.#opened++ % this.#addresses.length]!,
      (connection, result) => this.#onResult(connection, result),
      () => this.#open--,
    );
  }

  #addDue(startedAtMs: number, until: number): void {
    while (this.#outcome.due < until) this.#add(startedAtMs + (this.#outcome.due * 1_000) / this.#load.perSecond);
  }

  #saturate(nowMs: number): void {
    const { clients } = this.#load;
    const idle = clients.isFresh ? clients.connections - this.#busy.size : this.#free.length;
    for (let missing = idle - this.#unsent.length; missing > 0; missing--) this.#add(nowMs);
  }

  #add(dueAtMs: number): void {
    const pending: Pending = { dueAtMs, connection: undefined, isDone: false };
    this.#outcome.due++;
    this.#unsent.push(pending);
    this.#inTime.push(pending);
  }

  /** Oldest first, as a queue in a client does it. */
  #sendUnsent(): void {
    for (let pending = this.#unsent.first; pending; pending = this.#unsent.first) {
      if (!pending.isDone) {
        const connection = this.#takeConnection();
        if (!connection) return;
        this.#send(pending, connection);
      }
      this.#unsent.shift();
    }
  }

  #takeConnection(): Connection | undefined {
    for (let connection = this.#free.shift(); connection; connection = this.#free.shift()) {
      if (connection.isOpen) return connection;
    }
    return this.#open < this.#load.clients.connections ? this.#connect() : undefined;
  }

  #send(pending: Pending, connection: Connection): void {
    const { requests, clients } = this.#load;
    const request = requests[this.#opened++ % requests.length]!;
    pending.connection = connection;
    this.#busy.set(connection, pending);
    connection.send(clients.isFresh ? request.fresh : request.keepAlive);
  }

  #onResult(connection: Connection, result: Result): void {
    const pending = this.#busy.get(connection);
    this.#busy.delete(connection);
    if (pending && !pending.isDone) this.#settle(pending, result);
    if (this.#isOver || this.#load.clients.isFresh) connection.abandon();
    else if (connection.isOpen) this.#free.push(connection);
  }

  #settle(pending: Pending, result: Result | 'timedOut'): void {
    pending.isDone = true;
    const isSuccess = result === 'succeeded';
    this.#outcome.counts[result]++;
    this.#outcome.successes.push({ dueAtMs: pending.dueAtMs, isSuccess });
    if (isSuccess) this.#outcome.latencies.push(performance.now() - pending.dueAtMs);
  }

  #expire(nowMs: number): void {
    const latestDueMs = nowMs - this.#load.clients.timeoutMs;
    for (let pending = this.#inTime.first; pending; pending = this.#inTime.first) {
      if (!pending.isDone && pending.dueAtMs > latestDueMs) return;
      this.#inTime.shift();
      if (pending.isDone) continue;
      this.#settle(pending, 'timedOut');
      if (!pending.connection) continue;
      this.#busy.delete(pending.connection);
      pending.connection.abandon();
    }
  }

  async #finish(): Promise<void> {
    const { timeoutMs } = this.#load.clients;
    const endAtMs = performance.now() + timeoutMs;
    while (this.#inTime.first && performance.now() < endAtMs + 100) {
      this.#expire(performance.now());
      this.#sendUnsent();
      await sleep(1);
    }
    this.#isOver = true;
    for (let one = this.#free.shift(); one; one = this.#free.shift()) one.abandon();
    for (const one of this.#busy.keys()) one.abandon();
    while (this.#open > 0) await sleep(10);
  }
}
