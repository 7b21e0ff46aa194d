/** A request that waits at its headers, and those behind it on its connection. */
import type { IncomingMessage as NodeRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { EventLoopClock } from '../overload/event-loop-clock.ts';
import type { Parser as BodyParser } from './parser.ts';

declare module 'node:net' {
  interface Socket {
    heldRequest?: HeldRequest | undefined;
    /** Set while a request that was held starts: when its first bytes could have been read. */
    heldSinceMs?: number | undefined;
    /** Its latest request was shed. */
    isIdleSinceShed?: boolean;
  }
}

/** `upgrade`: set by node:http on a request to switch to another protocol. */
export type IncomingMessage = NodeRequest & { upgrade?: boolean };

/** The parser of node:http, and what it calls when it has read the headers of a request. */
export interface Parser extends BodyParser {
  onIncoming?: OnIncoming | null;
}
export type OnIncoming = (request: IncomingMessage, shouldKeepAlive: boolean) => number;

/** What it returns for the body to be parsed. */
export const parseOn = 0;

export interface HeldRequest {
  request: IncomingMessage;
  shouldKeepAlive: boolean;
  /** When the first bytes could have been read. */
  sinceMs: number;
  /** Passes the request on to node:http, which creates its response. */
  pass: OnIncoming;
  isReleased: boolean;
  /** There is no room for it in the queue: it gets its 503 at the end of the turn, and its body is dropped. */
  isExcess: boolean;
  /** Later requests of its connection: they are released or shed together with it. */
  followers: HeldRequest[];
  /** An earlier request of its connection has got its response: node:http has created that of this one. */
  isPipelined: boolean;
}

export function toHeld(
  request: IncomingMessage,
  shouldKeepAlive: boolean,
  pass: OnIncoming,
  clock: EventLoopClock,
): HeldRequest {
  const sinceMs = clock.turnStartMs();
  const state = { isReleased: false, isExcess: false, isPipelined: false };
  return { request, shouldKeepAlive, sinceMs, pass, ...state, followers: [] };
}

/** For a request that node:http does not get yet, or never: it would destroy the socket of one to upgrade the protocol. */
export function ignore(request: IncomingMessage): number {
  request.upgrade = false;
  return parseOn;
}

export function release(held: HeldRequest): void {
  held.isReleased = true;
  const { socket } = held.request;
  if (socket.heldRequest === held) socket.heldRequest = undefined;
}

/** After a response of its own, node:http does the same. */
export function startIdleTimeout(socket: Socket, keepAliveMs: number): void {
  socket.isIdleSinceShed = true;
  socket.setTimeout(keepAliveMs);
}

/** The connection keeps nothing of a request that has ended, as after a response of node:http: of thousands of connections this is megabytes, which each garbage collection copies. */
export function forgetRequest({ parser }: Socket & { parser?: Parser | null }, request: IncomingMessage): void {
  if (parser?.incoming === request && request.complete) parser.incoming = null;
}

export function stopIdleTimeout(socket: Socket): void {
  socket.isIdleSinceShed = false;
  socket.setTimeout(0);
}

/** Whether no earlier request of the connection still waits for its response. */
export const isFirst = ({ latestResponse }: Socket): boolean => !latestResponse || latestResponse.closed;
