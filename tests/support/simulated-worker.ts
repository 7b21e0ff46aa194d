/** A worker in virtual time: what it does with requests takes as long as a model says; what it holds and sheds is decided by the code of the exchange. */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { clientClosed } from '../../src/http/client-closed.ts';
import { holdRequests } from '../../src/http/hold-requests.ts';
import type { GateParts } from '../../src/http/request-gate.ts';
import { AdmissionControl } from '../../src/overload/admission-control.ts';
import { admissionSettings } from '../../src/overload/admission-settings.ts';
import { ClientUsage } from '../../src/overload/client-usage.ts';
import { EventLoopClock, type Turn } from '../../src/overload/event-loop-clock.ts';
import { collectEvery, type Costs } from './simulated-costs.ts';

/** Connections that the kernel holds until they are accepted. */
const maxBacklog = 511;
const keptConnections = 4_000;

export interface Clients {
  /** A client gives up a request this long after it was due, and closes its connection. */
  timeoutMs: number;
  /** Each request has a connection of its own. */
  isFresh: boolean;
  /** With a connection per request: how many may be open. More requests wait in the clients, the oldest first. */
  connections?: number;
  /** How many addresses they have. */
  addresses?: number;
  /** Requests per millisecond of one more client, on kept connections. */
  lightPerMs?: number;
}

const shedResponse = { nextRequestId: () => '', text: () => '' } as unknown as GateParts['overloadResponse'];

/** What Redis takes to respond. */
const usualLimiterMs = 1;

export interface SimulatedRequest {
  dueMs: number;
  isLight: boolean;
  /** `lost`: its client has left, or its connection was refused. */
  result: 'served' | 'shed' | 'lost';
  latencyMs: number;
}

/** A load that lasts from `fromMs` on, until the next one begins. */
export interface Load {
  fromMs: number;
  perMs: number;
}

/** What the exchange uses of the socket of a connection. */
class SimulatedSocket {
  readonly remoteAddress: string;
  readonly destroyed = false;
  readonly writableLength = 0;
  readonly parser: { onIncoming: (request: object, shouldKeepAlive: boolean) => number };
  /** Set by the exchange while a request that was held starts. */
  heldSinceMs: number | undefined;
  request: SimulatedRequest | undefined;
  readonly #worker: SimulatedWorker;

  constructor(worker: SimulatedWorker, remoteAddress: string) {
    this.#worker = worker;
    this.remoteAddress = remoteAddress;
    this.parser = {
      onIncoming: () => {
        worker.start(this);
        return 0;
      },
    };
  }

  get writable(): boolean {
    return !this.#worker.hasLeft(this);
  }

  /** The 503. */
  write(): void {
    this.#worker.shed(this);
  }

  setTimeout(): void {}

  once(): void {}

  off(): void {}
}

interface InProgress {
  socket: SimulatedSocket;
  since: Turn;
  heldMs: number;
  decidedAtMs: number;
}

export class SimulatedWorker {
  readonly #costs: Costs;
  readonly #clients: Clients;
  readonly #limiterMs: number;
  readonly #server = Object.assign(new EventEmitter(), { maxConnections: Infinity });
  readonly #control = new AdmissionControl(admissionSettings);
  readonly #usage = new ClientUsage();
  readonly #clock: EventLoopClock;
  #nowMs = 0;
  #idleMs = 0;
  #endTurn = () => {};
  #free: SimulatedSocket[] = [];
  #freeOfLight: SimulatedSocket[] = [];
  #opened = 0;
  #backlog: SimulatedSocket[] = [];
  /** Requests that wait for a connection, and those that have one. */
  #unsent: SimulatedRequest[] = [];
  readonly #sent = new Set<SimulatedRequest>();
  #readable: SimulatedSocket[] = [];
  #inProgress: InProgress[] = [];
  /** Those that were held until the end of the current turn: their bodies are read right after it. */
  #startedAtEnd: InProgress[] | undefined;
  #held = 0;
  #finished = 0;

  constructor(model: Costs, clients: Clients, limiterMs = usualLimiterMs) {
    this.#costs = model;
    this.#clients = clients;
    this.#limiterMs = limiterMs;
    this.#clock = new EventLoopClock({
      nowMs: () => this.#nowMs,
      idleMs: () => this.#idleMs,
      atTurnEnd: (callback) => (this.#endTurn = callback),
    });
    holdRequests(this.#server as unknown as Server, {
      control: this.#control,
      clock: this.#clock,
      usage: this.#usage,
      overloadResponse: shedResponse,
      observer: { ended: (_, outcome) => void (outcome === clientClosed && this.#held--), connectionRefused: () => {} },
      onOverload: () => {},
      isDraining: () => false,
      keepAliveMs: 60_000,
    });
    if (!clients.isFresh) this.#free = Array.from({ length: keptConnections }, () => this.#connect(this.#open()));
    if (clients.lightPerMs) {
      this.#freeOfLight = Array.from({ length: keptConnections }, () =>
        this.#connect(new SimulatedSocket(this, lightAddress)),
      );
    }
  }

  /** The requests of these loads with their results. */
  run(loads: readonly Load[], endMs: number): SimulatedRequest[] {
    const light = this.#clients.lightPerMs ? [{ fromMs: 0, perMs: this.#clients.lightPerMs }] : [];
    const requests = [...dueRequests(loads, endMs, false), ...dueRequests(light, endMs, true)];
    requests.sort((a, b) => a.dueMs - b.dueMs);
    const due = requests.values();
    let next = due.next().value;
    for (;;) {
      for (; next && next.dueMs <= this.#nowMs; next = due.next().value) this.#unsent.push(next);
      this.#sendUnsent();
      if (this.#hasWork()) this.#turn();
      else {
        const wakeAtMs = Math.min(next?.dueMs ?? Infinity, ...this.#inProgress.map(({ decidedAtMs }) => decidedAtMs));
        if (wakeAtMs === Infinity) return requests;
        this.#idleMs += wakeAtMs - this.#nowMs;
        this.#nowMs = wakeAtMs;
      }
    }
  }

  hasLeft({ request }: SimulatedSocket): boolean {
    return request !== undefined && this.#nowMs > request.dueMs + this.#clients.timeoutMs;
  }

  start(socket: SimulatedSocket): void {
    this.#held--;
    const heldMs = socket.heldSinceMs === undefined ? 0 : this.#nowMs - socket.heldSinceMs;
    this.#usage.start(socket.remoteAddress, this.#nowMs);
    this.#nowMs += this.#costs.start;
    const started = { socket, heldMs, since: this.#clock.turn(), decidedAtMs: this.#nowMs + this.#limiterMs };
    if (this.#startedAtEnd) this.#startedAtEnd.push(started);
    else this.#askLimiter(started);
  }

  shed(socket: SimulatedSocket): void {
    this.#held--;
    this.#nowMs += this.#costs.shed;
    this.#end(socket, 'shed');
  }

  /** Clients that give up close their connections. */
  #sendUnsent(): void {
    const { connections = Infinity, timeoutMs } = this.#clients;
    for (const request of this.#sent) {
      if (request.dueMs + timeoutMs >= this.#nowMs) break;
      this.#sent.delete(request);
    }
    while (this.#unsent.length > 0 && this.#sent.size < connections) {
      const request = this.#unsent.shift()!;
      if (request.dueMs + timeoutMs < this.#nowMs) continue;
      this.#sent.add(request);
      this.#send(request);
    }
  }

  #send(request: SimulatedRequest): void {
    const socket = (request.isLight ? this.#freeOfLight : this.#free).pop();
    if (socket) this.#readable.push(Object.assign(socket, { request }));
    else if (this.#backlog.length < maxBacklog) this.#backlog.push(Object.assign(this.#open(), { request }));
  }

  #open(): SimulatedSocket {
    return new SimulatedSocket(this, `198.51.100.${1 + (this.#opened++ % (this.#clients.addresses ?? 1))}`);
  }

  #connect(socket: SimulatedSocket): SimulatedSocket {
    this.#server.emit('connection', socket);
    return socket;
  }

  #hasWork(): boolean {
    const isDecided = this.#inProgress.some(({ decidedAtMs }) => decidedAtMs <= this.#nowMs);
    return isDecided || this.#readable.length + this.#backlog.length + this.#held > 0;
  }

  #turn(): void {
    const { inProgress = [], decided = [] } = Object.groupBy(this.#inProgress, ({ decidedAtMs }) =>
      decidedAtMs <= this.#nowMs ? 'decided' : 'inProgress',
    );
    this.#inProgress = inProgress;
    const readable = this.#readable.splice(0);
    this.#nowMs += this.#costs.turn;
    this.#accept();
    for (const one of decided) this.#finish(one);
    for (const socket of readable) this.#read(socket);
    this.#startedAtEnd = [];
    this.#endTurn();
    for (const one of this.#startedAtEnd) this.#askLimiter({ ...one, since: this.#clock.turn() });
    this.#startedAtEnd = undefined;
  }

  /** libuv accepts one connection per turn. What it sends is read in the next one. */
  #accept(): void {
    const socket = this.#backlog.shift();
    if (!socket) return;
    if (this.#server.maxConnections === 0) {
      this.#nowMs += this.#costs.refuse;
      this.#sent.delete(socket.request!);
      this.#server.emit('drop');
    } else {
      this.#nowMs += this.#costs.accept;
      this.#readable.push(this.#connect(socket));
    }
  }

  #read(socket: SimulatedSocket): void {
    this.#nowMs += this.#costs.read;
    this.#held++;
    socket.parser.onIncoming({ socket, method: 'POST', complete: true, headers: {}, rawHeaders: [] }, true);
  }

  #askLimiter(started: InProgress): void {
    this.#control.start();
    this.#inProgress.push(started);
  }

  #finish({ socket, since, heldMs }: InProgress): void {
    const waitedMs = this.#clock.waitedSince(since);
    this.#control.end(this.#nowMs - since.startMs - waitedMs, heldMs, waitedMs);
    if (this.hasLeft(socket)) return this.#control.leave();
    this.#nowMs += this.#costs.finish;
    this.#usage.charge(socket.remoteAddress, this.#costs.start + this.#costs.finish, this.#nowMs);
    if (++this.#finished % collectEvery === 0) this.#nowMs += this.#costs.collection;
    if (!this.hasLeft(socket)) this.#end(socket, 'served');
  }

  #end(socket: SimulatedSocket, result: 'served' | 'shed'): void {
    const { request } = socket;
    Object.assign(request!, { result, latencyMs: this.#nowMs - request!.dueMs });
    socket.request = undefined;
    this.#sent.delete(request!);
    if (request!.isLight) this.#freeOfLight.push(socket);
    else if (!this.#clients.isFresh) this.#free.push(socket);
  }
}

const lightAddress = '198.51.100.254';

function dueRequests(loads: readonly Load[], endMs: number, isLight: boolean): SimulatedRequest[] {
  return loads.flatMap(({ fromMs, perMs }, index) => {
    const count = Math.floor(((loads[index + 1]?.fromMs ?? endMs) - fromMs) * perMs);
    return Array.from({ length: count }, (_, number) => ({
      dueMs: fromMs + number / perMs,
      isLight,
      result: 'lost',
      latencyMs: 0,
    }));
  });
}
