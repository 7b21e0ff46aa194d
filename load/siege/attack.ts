/** An attack of the siege, and the ways of sending that several attacks share. */
import { connect, type Socket } from 'node:net';
import type { Hostility } from './roles/partners.ts';
import { ratePerAddress } from './settings.ts';
import { ConnectionPool } from './traffic/connection-pool.ts';

export interface Attack {
  /** The name of its file. */
  name: string;
  /** What it sends. */
  title: string;
  /** The number of local addresses that it sends from. */
  addresses: number;
  /** Left out unless it is named, or SIEGE=each: it never stopped the exchange, or needs more CPU time than a small machine has. */
  isOptional?: boolean;
  /** What the hostile partner returns meanwhile, if anything. */
  hostility?: Exclude<Hostility, 'none'>;
  /** Whether nobody reads the log of the exchange meanwhile. */
  withUnreadLog?: boolean;
  /** Attacks until the context's signal aborts. What is sent is prepared at the first start. */
  start(context: AttackContext): void;
}

export interface AttackContext {
  port: number;
  addresses: readonly string[];
  tally: Tally;
  signal: AbortSignal;
}

/** What an attack did; `responses` by status, or by the reason why there is none. */
export class Tally {
  planned = 0;
  sent = 0;
  readonly responses: Record<string, number> = {};

  count(response: string | number): void {
    this.responses[response] = (this.responses[response] ?? 0) + 1;
  }
}

/** No attack waits longer for a response. */
const timeoutMs = 5_000;
const tickMs = 5;
/** As many requests as one address may have in progress. */
const maxConnections = 100;

/** Calls `run` at a fixed rate and does not wait for earlier calls. */
export function atRate(signal: AbortSignal, perSecond: number, run: (index: number) => void): void {
  const startedAtMs = performance.now();
  let done = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * perSecond);
    while (done < due) run(done++);
  }, tickMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Sends requests from each address at its allowed rate, over keep-alive connections, `burst` requests at a time. */
export function sendAtAllowedRate(context: AttackContext, next: (index: number) => Buffer, burst = 1): void {
  const { port, addresses, tally, signal } = context;
  const pools = addresses.map((localAddress) => new ConnectionPool({ port, localAddress, maxConnections, timeoutMs }));
  signal.addEventListener('abort', () => pools.forEach((pool) => pool.close()));
  const send = (index: number) => {
    tally.planned++;
    const pool = pools[index % pools.length]!;
    if (pool.send(next(index), (result) => tally.count(typeof result === 'string' ? result : result.status)))
      tally.sent++;
    else tally.count('busy');
  };
  atRate(signal, (ratePerAddress * addresses.length) / burst, (index) => {
    for (let at = index * burst; at < (index + 1) * burst; at++) send(at);
  });
}

/** Opens a connection that ends with the attack. */
export function openSocket({ port, signal }: AttackContext, localAddress: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  const destroy = () => socket.destroy();
  socket.on('error', () => {});
  socket.on('close', () => signal.removeEventListener('abort', destroy));
  signal.addEventListener('abort', destroy);
  return socket;
}

export interface HeldConnections {
  perAddress: number;
  /** Opened per second, until all are open. */
  perSecond: number;
  /** A connection that the exchange closes is opened again after this time. */
  reopenMs: number;
  /** Called for every connection opened. */
  onOpen: (socket: Socket, index: number) => void;
}

/** Keeps a number of connections open. */
export function holdConnections(context: AttackContext, held: HeldConnections): void {
  const { addresses, tally, signal } = context;
  const total = addresses.length * held.perAddress;
  const open = (index: number) => {
    if (signal.aborted) return;
    tally.planned++;
    tally.sent++;
    const socket = openSocket(context, addresses[index % addresses.length]!);
    socket.on('close', () => {
      if (signal.aborted) return;
      tally.count('closed');
      setTimeout(open, held.reopenMs, index);
    });
    held.onOpen(socket, index);
  };
  for (let index = 0; index < total; index++) setTimeout(open, (1_000 * index) / held.perSecond, index);
}

/** Prepares values at the first call only: attackers that are not started need no memory. */
export function once<T>(prepare: () => T): () => T {
  let value: { prepared: T } | undefined;
  return () => (value ??= { prepared: prepare() }).prepared;
}
