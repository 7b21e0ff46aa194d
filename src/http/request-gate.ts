/** The queue of requests that wait at their headers: which wait, which start, and which get their 503. */
import type { Socket } from 'node:net';
import type { Control } from '../overload/admission-control.ts';
import { type ClientUsage, lightMs } from '../overload/client-usage.ts';
import type { EventLoopClock } from '../overload/event-loop-clock.ts';
import { FairQueue } from '../overload/fair-queue.ts';
import { TurnLength } from '../overload/turn-length.ts';
import { addressKey } from './client-address.ts';
import { clientClosed, hasLeft } from './client-closed.ts';
import { dropBody } from './drop-body.ts';
import { isFlooding, isUnread } from './flooding-client.ts';
import {
  forgetRequest,
  type HeldRequest,
  ignore,
  type IncomingMessage,
  isFirst,
  type OnIncoming,
  release,
  startIdleTimeout,
  stopIdleTimeout,
  toHeld,
} from './held-request.ts';
import { lingeringClose } from './lingering-close.ts';
import type { RequestObserver } from './request-observer.ts';
import type { ShedResponse } from './shed-response.ts';

export interface GateParts {
  control: Control;
  clock: EventLoopClock;
  usage: Pick<ClientUsage, 'of' | 'refuse'>;
  overloadResponse: ShedResponse;
  observer: Pick<RequestObserver, 'ended' | 'connectionRefused'>;
  onOverload: (isOverloaded: boolean) => void;
  /** While the worker drains, no request waits: to the server its connection would be idle, and would be closed. */
  isDraining: () => boolean;
  /** How long a connection may stay open without a request. */
  keepAliveMs: number;
}

/** If connections are a large part of the load, held requests wait for a turn without a new one, but no longer. */
const maxAcceptMs = 20;
/** In overload, a client that has waited this long gets its 503, so that it can try elsewhere; one that uses little is served before others, and waits longer. */
const maxWaitMs = 60;
const maxLightWaitMs = 200;
/** In overload, the queue holds what is served in this time. The newest are first: more would wait in vain, and cost more than those shed at once. */
const maxQueueMs = 30;
/** Shedding takes at most this long per turn. Other clients wait for their 503, and send less meanwhile. */
const maxShedMs = 5;
/** Requests that may arrive on a connection behind one that waits. */
const maxFollowers = 1_000;
/** Requests that are shed between two readings of the clock. */
const shedBatch = 16;

/** Holds requests at their headers, and starts or sheds them at the end of a turn of the event loop. */
export class RequestGate {
  readonly #parts: GateParts;
  readonly #queue: FairQueue<HeldRequest>;
  readonly #excess: HeldRequest[] = [];
  /** Pipelined requests in the queue. They are no sign of overload. */
  #pipelined = 0;
  /** Whether a connection was accepted in this turn, or closed right after. */
  #hasConnected = false;
  /** When requests could last start. */
  #servedAtMs = 0;
  readonly #turns = new TurnLength();

  constructor(parts: GateParts) {
    this.#parts = parts;
    const { usage, clock } = parts;
    this.#queue = new FairQueue((client) => usage.of(client, clock.nowMs()));
  }

  /** How many requests wait at their headers. */
  get waiting(): number {
    return this.#queue.length;
  }

  countConnection(): void {
    this.#hasConnected = true;
  }

  /** tests/http/overload.test.ts fails if a version of Node.js changes what the parser calls. */
  receive(socket: Socket, request: IncomingMessage, shouldKeepAlive: boolean, pass: OnIncoming): number {
    if (socket.restoreParser || socket.destroyed) return ignore(request); // the connection closes after an earlier request
    socket.restoreBody?.();
    if (socket.isIdleSinceShed) stopIdleTimeout(socket);
    const { clock } = this.#parts;
    const earlier = socket.heldRequest;
    // Responses have the order of requests.
    if (earlier?.isExcess) {
      if (isFlooding(socket, clock.turnStartMs())) this.#cut(earlier);
      else this.#shed(earlier);
      if (socket.destroyed) return ignore(request);
    }
    const isNext = !socket.heldRequest && isFirst(socket);
    if (earlier && !earlier.isExcess) return this.#follow(earlier, toHeld(request, shouldKeepAlive, pass, clock));
    const isHeld = isNext && this.#holds(socket) && request.method !== 'CONNECT';
    if (!isHeld) return pass(request, shouldKeepAlive);
    this.#hold(socket, toHeld(request, shouldKeepAlive, pass, clock));
    return ignore(request);
  }

  /** A request that is next on its connection has no advantage over those that are the first on theirs. */
  startInTurn(request: IncomingMessage, start: () => void): void {
    const { socket } = request;
    if (socket.destroyed || !this.#holds(socket)) return start();
    const client = addressKey(socket.remoteAddress);
    const pass = () => {
      this.#pipelined--;
      start();
      return 0;
    };
    const held = toHeld(request, true, pass, this.#parts.clock);
    held.isPipelined = true;
    this.#pipelined++;
    if (this.#hasRoom(client)) this.#queue.add(client, held);
    else this.#cut(held);
  }

  /** Behind one that waits. After CONNECT the connection has no more requests. */
  #follow(earlier: HeldRequest, held: HeldRequest): number {
    const { request, shouldKeepAlive, pass } = held;
    if (earlier.followers.length >= maxFollowers) {
      this.#cut(earlier);
      return ignore(request);
    }
    if (request.method === 'CONNECT') {
      this.#admit(earlier);
      return pass(request, shouldKeepAlive);
    }
    earlier.followers.push(held);
    return ignore(request);
  }

  /** What follows a request that waits is not HTTP: the request gets its response before the error gets one. */
  startEarlier(socket: Socket): void {
    const earlier = socket.heldRequest;
    if (!earlier || !socket.writable) return; // a client that has left is dropped in its turn
    if (!earlier.isExcess) return this.#admit(earlier);
    this.#shed(earlier);
    socket.isRejected = socket.writableEnded;
  }

  #hold(socket: Socket, held: HeldRequest): void {
    const client = addressKey(socket.remoteAddress); // behind a proxy all are one, of which the newest request is first
    socket.heldRequest = held;
    held.isExcess = !this.#hasRoom(client);
    if (!held.isExcess) return this.#queue.add(client, held);
    dropBody(socket);
    this.#excess.push(held);
  }

  #hasRoom(client: string): boolean {
    return !this.#parts.control.holdsRequests || this.#queue.hasRoom(client, this.#capacity);
  }

  /** Where connections are accepted first, requests wait for that, too. */
  get #capacity(): number {
    const { throughput, acceptsFirst } = this.#parts.control;
    return throughput * (acceptsFirst ? maxWaitMs : maxQueueMs);
  }

  /** A turn that has taken long does not get longer: what it reads would delay what it has read. No client overtakes others that wait. */
  #holds({ remoteAddress }: Socket): boolean {
    const { control, clock, isDraining } = this.#parts;
    if (isDraining()) return false;
    if (this.#queue.length > 0) {
      const client = addressKey(remoteAddress);
      if (this.#queue.isBeforeOthers(client)) this.#turns.shorten(clock.turnStartMs());
      if (this.#queue.hasOthers(client)) return true;
    }
    if (control.holdsRequests || control.acceptsFirst) return true;
    const startMs = clock.turnStartMs();
    return clock.nowMs() - startMs > this.#turns.maxMs(startMs);
  }

  endTurn(nowMs: number): void {
    const { control, clock } = this.#parts;
    const queue = this.#queue;
    const isAccepting = this.#isAccepting(nowMs) && !this.#parts.isDraining();
    if (queue.length > 0 && !control.holdsRequests && queue.length <= this.#turns.maxStarts(control.perTurn, nowMs))
      queue.promote(lightMs);
    if (queue.length > 0 && !isAccepting) this.#admitSome(nowMs);
    if (control.holdsRequests || this.#excess.length > 0) this.#shedSome(nowMs);
    if (queue.length > 0) queue.endTurn();
    const wasOverloaded = control.holdsRequests;
    control.endTurn(nowMs, clock.idleMs, queue.length - this.#pipelined);
    if (control.holdsRequests !== wasOverloaded) this.#parts.onOverload(control.holdsRequests);
    if (queue.length > 0 || this.#excess.length > 0) setImmediate(() => {}); // the event loop must not wait while requests do
  }

  /** Whether more connections may wait than the one of this turn. */
  #isAccepting(nowMs: number): boolean {
    const hasConnected = this.#hasConnected;
    this.#hasConnected = false;
    if (hasConnected && this.#parts.control.acceptsFirst && nowMs - this.#servedAtMs < maxAcceptMs) return true;
    this.#servedAtMs = nowMs;
    return false;
  }

  /** Newest first in overload, and if the queue is long: the oldest are about to be given up by their clients. In a shorter queue they would wait for as long as there is one. */
  #admitSome(nowMs: number): void {
    const { control, isDraining } = this.#parts;
    const order = control.holdsRequests || this.#queue.length > control.longQueue ? 'newest' : 'oldest';
    let free = isDraining() ? Infinity : Math.min(control.free, this.#turns.maxStarts(control.perTurn, nowMs));
    while (free >= 1) {
      const held = this.#queue.take(order);
      if (!held) return;
      if (held.isReleased) continue;
      if (hasLeft(held.request)) this.#dropDeparted(held);
      else {
        this.#admit(held);
        free--;
      }
    }
  }

  #shedSome(nowMs: number): void {
    const { clock } = this.#parts;
    const startedAtMs = clock.nowMs(); // later than `nowMs` by what it took to start others
    let count = 0;
    for (const held of this.#takeExcess(nowMs)) {
      if (held.isReleased) continue;
      if (hasLeft(held.request)) this.#dropDeparted(held);
      else this.#shed(held);
      if (++count % shedBatch === 0 && clock.nowMs() - startedAtMs >= maxShedMs) return;
    }
  }

  /** Those that have waited first: their clients are about to leave, and to connect again, which costs more than a 503. */
  *#takeExcess(nowMs: number): Generator<HeldRequest> {
    const isExpired = ({ sinceMs, isReleased }: HeldRequest, isLight: boolean) =>
      isReleased || nowMs - sinceMs >= (isLight ? maxLightWaitMs : maxWaitMs);
    yield* this.#queue.takeExcess(this.#capacity, isExpired);
    for (let held = this.#excess.pop(); held; held = this.#excess.pop()) yield held;
  }

  #admit(held: HeldRequest): void {
    release(held);
    for (const { request, shouldKeepAlive, sinceMs, pass } of [held, ...held.followers]) {
      request.socket.heldSinceMs = held.isPipelined ? undefined : sinceMs;
      pass(request, shouldKeepAlive);
      request.socket.heldSinceMs = undefined;
    }
  }

  #shed(held: HeldRequest): void {
    if (held.isPipelined || isUnread(held.request.socket)) return this.#cut(held);
    release(held);
    for (const one of [held, ...held.followers]) this.#respond(one);
  }

  #respond(held: HeldRequest): void {
    const { request, shouldKeepAlive, sinceMs } = held;
    const { socket } = request;
    if (!socket.writable) return this.#record(held);
    const { control, overloadResponse, observer, clock, usage } = this.#parts;
    control.refuse();
    usage.refuse(addressKey(socket.remoteAddress), clock.nowMs());
    const requestId = overloadResponse.nextRequestId();
    const isCut = !request.complete || socket.restoreParser !== undefined;
    const closes = !shouldKeepAlive || isCut;
    socket.write(overloadResponse.text(requestId, closes, request.method !== 'HEAD', Date.now()), 'latin1');
    if (isCut) lingeringClose(socket);
    else if (closes) socket.destroySoon();
    else startIdleTimeout(socket, this.#parts.keepAliveMs);
    forgetRequest(socket, request);
    observer.ended(requestId, overloadResponse.outcome, clock.nowMs() - sinceMs);
  }

  #cut(held: HeldRequest): void {
    release(held);
    this.#parts.observer.connectionRefused('pipeline');
    held.request.socket.resetAndDestroy(); // the kernel drops what it holds, too
    if (held.isPipelined) held.pass(held.request, false); // it ends as one whose client has left, and so do those behind it
  }

  #dropDeparted(held: HeldRequest): void {
    release(held);
    if (held.isPipelined) return void held.pass(held.request, false);
    for (const one of [held, ...held.followers]) this.#record(one);
  }

  /** The client has left, or its connection is being closed. */
  #record({ request, sinceMs }: HeldRequest): void {
    const { overloadResponse, observer, clock, control } = this.#parts;
    if (request.complete) control.leave();
    observer.ended(overloadResponse.nextRequestId(), clientClosed, clock.nowMs() - sinceMs);
  }
}
