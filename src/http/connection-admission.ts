/** While new connections overload the worker, no more are accepted than it serves, and few while requests wait; all others are closed. Afterwards a slow start. */
import type { Server } from 'node:http';
import type { Control } from '../overload/admission-control.ts';

/** After an overload, as many connections are accepted per interval as requests are served in it, and no fewer than this; then twice as many, and so on. */
const minAllowance = 16;
const intervalMs = 100;
/** After so many intervals, all are accepted. */
const startIntervals = 5;
/**
 * In overload, one connection is accepted per request that is served, while fewer requests wait than are served in this time: a request that
 * would wait in vain is refused with its connection, which costs a fraction of its 503.
 */
const queueMs = 10;
/** At times, and while the worker has idle time, more may wait: if no connection is refused then, because clients wait for their responses before they connect again, the overload ends. */
const probe = { queueMs: 30, everyMs: 1_500, forMs: 300 };
/** While more requests wait, this share of the connections is accepted all the same: those that wait may all be of clients that are connected. */
const minShare = 1 / 16;

/** At 0, node:net closes new connections right after it has accepted them, before node:http creates anything for them. */
type LimitedServer = Pick<Server, 'maxConnections'>;

export class ConnectionAdmission {
  readonly #server: LimitedServer;
  readonly #control: Pick<Control, 'refusesConnections' | 'hasIdleTime' | 'throughput'>;
  #state: 'open' | 'refusing' | 'starting' = 'open';
  /** How many more connections are accepted. */
  #allowance = Infinity;
  #intervals = 0;
  #changedAtMs = 0;

  constructor(server: LimitedServer, control: Pick<Control, 'refusesConnections' | 'hasIdleTime' | 'throughput'>) {
    this.#server = server;
    this.#control = control;
  }

  countConnection(): void {
    this.#allowance--;
    if (this.#allowance < 1) this.#server.maxConnections = 0;
  }

  /** `waiting`: the requests that wait at their headers. */
  endTurn(nowMs: number, waiting: number): void {
    if (this.#control.refusesConnections) this.#refuse(nowMs, waiting);
    else if (this.#state !== 'open') this.#start(nowMs);
  }

  #refuse(nowMs: number, waiting: number): void {
    const { throughput, hasIdleTime } = this.#control;
    const isProbe = nowMs % probe.everyMs < probe.forMs;
    const queue = Math.max(1, throughput * (isProbe || hasIdleTime ? probe.queueMs : queueMs));
    const earned = throughput * (nowMs - this.#changedAtMs) * (waiting < queue ? 1 : minShare);
    const before = this.#state === 'refusing' ? this.#allowance + earned : 0;
    const room = Math.max(1, queue - waiting);
    this.#intervals = 0;
    this.#change('refusing', nowMs, hasIdleTime && waiting < queue ? room : Math.min(before, room));
  }

  #start(nowMs: number): void {
    if (this.#state === 'starting' && nowMs - this.#changedAtMs < intervalMs) return;
    if (this.#intervals === startIntervals) return this.#change('open', nowMs, Infinity);
    const first = Math.max(minAllowance, this.#control.throughput * intervalMs);
    this.#change('starting', nowMs, first * 2 ** this.#intervals++);
  }

  #change(state: 'open' | 'refusing' | 'starting', nowMs: number, allowance: number): void {
    this.#state = state;
    this.#changedAtMs = nowMs;
    this.#allowance = allowance;
    this.#server.maxConnections = allowance < 1 ? 0 : Infinity;
  }
}
