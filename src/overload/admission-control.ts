/** Decides whether a worker is overloaded, by CoDel's rule, and how many requests it then takes on at a time. */
import type { AdmissionSettings } from './admission-settings.ts';

/** A worker that still has idle time is not overloaded: its requests wait for something else, such as Redis. */
const maxIdleShare = 0.05;
/** The limit is never lower, and so few requests are no queue: a worker that is slow with them would be slow with fewer. */
const minLimit = 16;
/** A busy worker is late if its clients abandon more than this share of its requests: these waited where it cannot measure the delay. */
const maxLeftShare = 0.1;
/** Up to this many abandoned requests per interval are no sign of overload: clients may leave on purpose. */
const minLeft = 16;
/** A mean delay of so many times the allowed one is severe. */
const severity = 1.5;
/** A queue that shrinks by more than this share of the requests served in the interval is the rest of a burst. */
const burstShare = 0.5;
/**
 * EWMA weights: throughput rises quickly and falls slowly, so that one interval of shedding or GC does not reduce the number of requests that the
 * next one starts.
 */
const throughputWeight = { rising: 0.25, falling: 0.03 };
/** What is served in less busy time says little about the throughput. */
const minBusyMs = 10;
/** Connections per request: above it they are a large part of the load, and most of the queue is where they wait to be accepted. */
const maxConnectedShare = 0.5;
/** Up to this many new connections per interval are no load. */
const minConnected = 16;
/** If a larger share of turns accepted a connection, others wait to be accepted, and it is not known how many: libuv accepts one per turn. */
const maxAcceptingShare = 0.75;
/** With fewer new connections per interval the share means nothing: there were few turns. */
const minAccepted = 4;
/** For the held requests of a turn. Short, because libuv accepts one connection per turn, and not shorter, because each turn has a cost of its own. */
const turnMs = 10;
const minPerTurn = 4;
const growth = 1.1;
/** A limit follows a long delay by steps, not at once: the delay may be that of a single turn. */
const maxReduction = 0.5;
/** If clients leave although the delay is short: they wait for a free connection, and fewer requests in progress leave more of them free. */
const reductionIfClientsLeave = 0.7;

/** What the HTTP layer uses of it. */
export interface Control {
  /** While it is true, requests wait at their headers. */
  readonly holdsRequests: boolean;
  /** True if new connections are part of an overload: one costs as much as a request. Few of them are accepted. */
  readonly refusesConnections: boolean;
  /** Whether the worker had idle time in the last interval. */
  readonly hasIdleTime: boolean;
  /**
   * True if new connections are part of the load of a busy worker, or if an unknown number of them waits in the kernel: it accepts those that wait before it handles
   * requests. libuv accepts one per turn, so that they would wait in the kernel, where their delay is not measured, including those whose clients have left.
   */
  readonly acceptsFirst: boolean;
  /** How many more requests may start now. */
  readonly free: number;
  /** How many held requests may start in one turn. */
  readonly perTurn: number;
  /** Requests per millisecond that a busy worker decides. */
  readonly throughput: number;
  /** If more requests wait, the last would wait severely long. */
  readonly longQueue: number;
  /** A request has been read, and waits for the decision of the rate limiter. */
  start(): void;
  /**
   * The decision has been made. Since the request could have been read, or, if it was held for `heldMs`, since it was released, it has waited
   * `waitedMs` for the response of the buckets, and `delayMs` for this worker. What follows depends on the partners.
   */
  end(delayMs: number, heldMs: number, waitedMs: number): void;
  /** A client that had sent a whole request has left before its response. */
  leave(): void;
  /** A request was shed, or a connection refused. */
  refuse(): void;
  /** A client has connected. */
  connect(): void;
  /** `waiting` requests are held back. Most turns end within an interval, and read nothing but the time. */
  endTurn(nowMs: number, readIdleMs: () => number, waiting: number): void;
}

export class AdmissionControl implements Control {
  readonly #settings: AdmissionSettings;
  #isOverloaded = false;
  #refusesConnections = false;
  #acceptsFirst = false;
  #hasIdleTime = true;
  #inProgress = 0;
  #peakInProgress = 0;
  #limit = Infinity;
  /** Requests per millisecond of busy time. */
  #throughput = 1;
  #ended = 0;
  #endedLate = 0;
  #totalDelayMs = 0;
  #totalWaitedMs = 0;
  #left = 0;
  #refused = 0;
  #connected = 0;
  #turns = 0;
  #intervalStart = { atMs: 0, idleMs: 0, backlog: 0 };
  /** Since when requests wait long, be it for a burst or not. */
  #longSinceMs: number | undefined;
  /** Since when every interval was late, and since when severely. */
  #lateSinceMs: number | undefined;
  #severeSinceMs: number | undefined;
  /** In overload: since when every interval was calm. */
  #calmSinceMs: number | undefined;

  constructor(settings: AdmissionSettings) {
    this.#settings = settings;
  }

  get holdsRequests(): boolean {
    return this.#isOverloaded;
  }

  get refusesConnections(): boolean {
    return this.#refusesConnections;
  }

  get hasIdleTime(): boolean {
    return this.#hasIdleTime;
  }

  get acceptsFirst(): boolean {
    return this.#acceptsFirst;
  }

  get free(): number {
    return Math.max(0, this.#limit - this.#inProgress);
  }

  get throughput(): number {
    return this.#throughput;
  }

  get perTurn(): number {
    return Math.max(minPerTurn, this.#throughput * turnMs);
  }

  get longQueue(): number {
    return this.#throughput * severity * this.#settings.maxDelayMs;
  }

  start(): void {
    this.#inProgress++;
    if (this.#inProgress > this.#peakInProgress) this.#peakInProgress = this.#inProgress;
  }

  end(delayMs: number, heldMs: number, waitedMs: number): void {
    this.#inProgress--;
    this.#ended++;
    this.#totalWaitedMs += waitedMs;
    // In overload, the limit follows what the requests in progress cost each other.
    const countedMs = this.#isOverloaded ? delayMs : delayMs + heldMs;
    this.#totalDelayMs += countedMs;
    if (countedMs > this.#allowedDelayMs) this.#endedLate++;
  }

  connect(): void {
    this.#connected++;
  }

  leave(): void {
    this.#left++;
  }

  refuse(): void {
    this.#refused++;
  }

  endTurn(nowMs: number, readIdleMs: () => number, waiting: number): void {
    this.#turns++;
    const elapsedMs = nowMs - this.#intervalStart.atMs;
    if (elapsedMs < this.#settings.intervalMs) return;
    const idleMs = readIdleMs();
    const idleInIntervalMs = idleMs - this.#intervalStart.idleMs;
    const isBusy = idleInIntervalMs < maxIdleShare * elapsedMs;
    if (this.#ended > 0) this.#measureThroughput(isBusy, elapsedMs, idleInIntervalMs);
    this.#hasIdleTime = !isBusy;
    const backlog = this.#inProgress + waiting;
    this.#judge(isBusy, nowMs, backlog, waiting / this.#throughput);
    this.#adjust(this.#isCalm(isBusy, elapsedMs, waiting), elapsedMs, nowMs);
    this.#refusesConnections = this.#isOverloaded && (this.#refusesConnections || this.#isConnecting);
    this.#acceptsFirst = this.#refusesConnections || (isBusy && (this.#isConnecting || this.#hasAcceptQueue));
    this.#startInterval({ atMs: nowMs, idleMs, backlog });
  }

  /** Also with idle time, if it was more: else a worker that was slow for a while and has idle time since would count as slow for good. */
  #measureThroughput(isBusy: boolean, elapsedMs: number, idleMs: number): void {
    const measured = this.#ended / (isBusy ? elapsedMs : Math.max(elapsedMs - idleMs, minBusyMs));
    if (!isBusy && measured <= this.#throughput) return;
    const { rising, falling } = throughputWeight;
    this.#throughput += (measured - this.#throughput) * (measured > this.#throughput ? rising : falling);
  }

  get #isConnecting(): boolean {
    return this.#connected > minConnected && this.#connected > maxConnectedShare * this.#ended;
  }

  get #hasAcceptQueue(): boolean {
    return this.#connected >= minAccepted && this.#connected > maxAcceptingShare * this.#turns;
  }

  get #severeBurstMs(): number {
    return this.#isConnecting ? this.#settings.severeConnectingBurstMs : this.#settings.severeBurstMs;
  }

  get #allowedDelayMs(): number {
    return this.#isOverloaded ? this.#settings.targetDelayMs : this.#settings.maxDelayMs;
  }

  get #meanDelayMs(): number {
    return this.#ended === 0 ? 0 : this.#totalDelayMs / this.#ended;
  }

  /** The last of the waiting requests would wait for `queuedMs` longer. In overload, those that wait are no sign: the limit makes them wait. */
  #judge(isBusy: boolean, nowMs: number, backlog: number, queuedMs: number): void {
    const longestMs = this.#isOverloaded ? 0 : queuedMs;
    const isLong = this.#areMostLate(backlog) || longestMs > this.#allowedDelayMs;
    this.#longSinceMs = isBusy && isLong ? (this.#longSinceMs ?? this.#intervalStart.atMs) : undefined;
    const isBurst = !this.#isOverloaded && this.#isBurst(backlog, nowMs);
    const isQueue = isLong && !isBurst;
    const clientsLeave = this.#left > minLeft && this.#left > maxLeftShare * this.#ended;
    const isSevere =
      clientsLeave || (isQueue && Math.max(this.#meanDelayMs, longestMs) > severity * this.#allowedDelayMs);
    const since = this.#intervalStart.atMs;
    this.#lateSinceMs = isBusy && (isQueue || clientsLeave) ? (this.#lateSinceMs ?? since) : undefined;
    this.#severeSinceMs = isBusy && isSevere ? (this.#severeSinceMs ?? since) : undefined;
    if (nowMs - (this.#lateSinceMs ?? nowMs) >= this.#settings.burstMs) this.#isOverloaded = true;
    if (nowMs - (this.#severeSinceMs ?? nowMs) >= this.#severeBurstMs) this.#isOverloaded = true;
  }

  #isBurst(backlog: number, nowMs: number): boolean {
    const { burstRequests, maxBurstMs } = this.#settings;
    const before = this.#intervalStart.backlog;
    const isFew = Math.max(before, backlog, this.#peakInProgress) <= burstRequests;
    const isNew = nowMs - (this.#longSinceMs ?? nowMs) < maxBurstMs;
    return (isFew && isNew) || before - backlog > burstShare * this.#ended;
  }

  /** The median: the first requests that a turn reads are never late. */
  #areMostLate(backlog: number): boolean {
    return Math.max(this.#peakInProgress, backlog) > minLimit && this.#endedLate > this.#ended / 2;
  }

  /** In overload each request waits for a turn: some do at any time, even if all of them can start in the next one. */
  #isCalm(isBusy: boolean, elapsedMs: number, waiting: number): boolean {
    const canAllStart = waiting <= Math.min(this.free, this.perTurn);
    const couldServeAll = this.#ended + this.#refused <= this.#throughput * elapsedMs;
    const refusesInNeed = this.#refused > 0 && (isBusy || !couldServeAll);
    return this.#lateSinceMs === undefined && canAllStart && !refusesInNeed;
  }

  #adjust(isCalm: boolean, elapsedMs: number, nowMs: number): void {
    if (!this.#isOverloaded) return;
    this.#calmSinceMs = isCalm ? (this.#calmSinceMs ?? this.#intervalStart.atMs) : undefined;
    if (this.#lateSinceMs !== undefined) {
      this.#limit = Math.max(minLimit, this.#reduced(Math.min(this.#limit, this.#peakInProgress), elapsedMs));
    } else if (nowMs - (this.#calmSinceMs ?? nowMs) < this.#settings.calmMs) {
      this.#limit = this.#limit * growth + 1;
    } else {
      this.#calmSinceMs = undefined;
      this.#limit = Infinity;
      this.#isOverloaded = false;
    }
  }

  /**
   * A request is in progress for as long as it is delayed here and waits for the buckets (Little's law). Clients that leave without a delay reduce
   * the limit no further than to what the target delay is worth: they may do it on purpose.
   */
  #reduced(limit: number, elapsedMs: number): number {
    const meanWaitedMs = this.#ended === 0 ? 0 : this.#totalWaitedMs / this.#ended;
    const targetMs = this.#settings.targetDelayMs + meanWaitedMs;
    const meanMs = this.#meanDelayMs + meanWaitedMs;
    if (meanMs > targetMs) return limit * Math.max(maxReduction, targetMs / meanMs);
    const servedInTarget = (this.#ended / elapsedMs) * targetMs;
    return Math.min(limit, Math.max(limit * reductionIfClientsLeave, servedInTarget));
  }

  #startInterval(start: { atMs: number; idleMs: number; backlog: number }): void {
    this.#intervalStart = start;
    this.#ended = 0;
    this.#endedLate = 0;
    this.#totalDelayMs = 0;
    this.#totalWaitedMs = 0;
    this.#left = 0;
    this.#refused = 0;
    this.#connected = 0;
    this.#turns = 0;
    this.#peakInProgress = this.#inProgress;
  }
}
