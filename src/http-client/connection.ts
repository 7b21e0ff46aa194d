/** One connection to a server: one call at a time, one write per call. */
import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { boundedTls } from './bounded-tls.ts';
import type { HttpCall } from './http-call.ts';
import { ResponseParser } from './response-parser.ts';

/** How connections are opened. */
export interface ConnectOptions {
  /** Resolves host names; without it, `dns.lookup` does. */
  lookup?: LookupFunction;
  /** How long a TCP handshake took, without the lookup of the host name and without TLS. */
  onHandshake?: (durationMs: number) => void;
}

/** A server, and what its connections share. */
export interface Server extends ConnectOptions {
  readonly isTls: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The latest TLS session: the next connection resumes it. */
  session?: Buffer;
}

/** Who a connection belongs to. Every method is called once per event. */
export interface ConnectionOwner {
  onOpen(connection: Connection): void;
  /** The response is complete and the connection can be used again. */
  onFree(connection: Connection): void;
  /** It was closed, by either side, or was never opened. */
  onClose(connection: Connection): void;
}

const connectTimeoutMs = 1_000;
/** Errors of this machine, not of the server: no file descriptor, local port or memory is left. */
const exhausted = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);
const tcpKeepAliveMs = 60_000;
/** We close an idle connection this long before the server's advertised keep-alive timeout. */
const keepAliveMarginSeconds = 2;
const defaultIdleSeconds = 30;
const maxIdleSeconds = 600;

/** A connection to a host name does not outlive its address for long, however busy it is. With jitter: not all connections end at once. */
const minLifeSeconds = 60;
const lifeJitterSeconds = 30;

/** What a read has left is parsed, and the body taken, before the next read: one buffer serves all connections. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

export class Connection {
  isOpen = false;
  /** Whether it has carried a call. */
  isUsed = false;
  /** It could not be opened because this machine has nothing left to connect with. */
  isExhausted = false;
  /** Seconds, counted by the owner: since the connection became idle, or since its call began. */
  age = 0;
  /** How long it may be idle. */
  maxIdleSeconds = defaultIdleSeconds;
  /** Seconds, counted down by its owner: after them it carries no further call. */
  secondsLeft: number;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser = new ResponseParser();
  #call: HttpCall | undefined;
  #isClosed = false;

  constructor(server: Server, owner: ConnectionOwner) {
    this.#owner = owner;
    this.secondsLeft = isIP(server.hostname) === 0 ? minLifeSeconds + lifeJitterSeconds * Math.random() : Infinity;
    this.#socket = this.#connect(server);
    const timer = setTimeout(setImmediate, connectTimeoutMs, this.#giveUp);
    this.#socket.once(server.isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      if (this.#isClosed) return;
      this.isOpen = true;
      owner.onOpen(this);
    });
    this.#socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.isExhausted = exhausted.has(code ?? '');
      this.close();
    });
    this.#socket.on('end', () => this.#end());
    this.#socket.on('close', () => {
      clearTimeout(timer);
      this.close();
    });
    this.#socket.unref(); // a call has a caller of its own; an idle connection keeps no process alive
  }

  get isIdle(): boolean {
    return this.#call === undefined;
  }

  start(call: HttpCall): void {
    this.#call = call;
    this.isUsed = true;
    this.age = 0;
    call.connection = this;
    this.#parser.start(call.maxBytes);
    this.#socket.write(call.text, call.encoding);
  }

  /** Closes the connection without reporting to its call. */
  drop(): void {
    this.#takeCall();
    this.close();
  }

  /** A call that has not ended is broken. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    const call = this.#takeCall();
    this.#parser.release();
    this.#owner.onClose(this);
    call?.onFailure('broken');
  }

  /** The extra turn of the event loop lets a handshake that is already complete win. */
  readonly #giveUp = (): void => {
    if (!this.isOpen) this.close();
  };

  #connect(server: Server): Socket {
    const { isTls, hostname, port, lookup, onHandshake } = server;
    const options = {
      host: hostname,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: tcpKeepAliveMs,
      onread: { buffer: readBuffer, callback: (length: number) => this.#read(length) },
      ...(lookup && { lookup }),
    };
    const socket = isTls ? this.#connectTls(server, options) : connectTcp(options);
    if (onHandshake) measureHandshake(socket, onHandshake);
    return socket;
  }

  #connectTls(server: Server, options: object): Socket {
    const { hostname, session } = server;
    const socket = connectTls({
      ...options,
      ...boundedTls,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(hostname) === 0 && { servername: hostname }),
      ...(session && { session }),
    });
    return socket.on('session', (latest) => (server.session = latest));
  }

  /** For `onread`: true continues reading. */
  #read(length: number): boolean {
    const call = this.#call;
    if (this.#isClosed) return false;
    if (!call)
      this.close(); // nothing was requested
    else this.#progress(call, this.#parser.execute(readBuffer, length, call.needsBody));
    return !this.#isClosed;
  }

  #progress(call: HttpCall, progress: ReturnType<ResponseParser['execute']>): void {
    const { head } = this.#parser;
    if (progress === 'complete') this.#complete(call);
    else if (this.#parser.hasHead && head.status !== 200)
      this.#fail('broken', head.status); // the body may never end
    else if (progress !== 'incomplete') this.#fail(progress === 'excessive' ? 'excessive' : 'broken');
  }

  #complete(call: HttpCall): void {
    const { head, body, bodyStart, bodyEnd, hasRest } = this.#parser;
    const isReusable =
      head.keepsAlive && this.secondsLeft > 0 && !hasRest && this.#socket.writableLength === 0 && this.#keepAlive();
    this.#takeCall();
    call.onResponse(head.status, head.isGzip, body, bodyStart, bodyEnd);
    if (!isReusable) return this.close();
    this.#parser.release();
    this.age = 0;
    this.#owner.onFree(this);
  }

  /** False if the server closes the connection too soon to use it again. */
  #keepAlive(): boolean {
    const { keepAliveSeconds } = this.#parser.head;
    const seconds = keepAliveSeconds === undefined ? defaultIdleSeconds : keepAliveSeconds - keepAliveMarginSeconds;
    this.maxIdleSeconds = Math.min(seconds, maxIdleSeconds);
    return seconds > 0;
  }

  #fail(failure: 'broken' | 'excessive', status?: number): void {
    const call = this.#takeCall();
    this.close();
    call?.onFailure(failure, status);
  }

  /** The server has closed its side, which is the end of some responses. */
  #end(): void {
    const call = this.#call;
    if (call && this.#parser.finish() === 'complete') this.#complete(call);
    else this.close();
  }

  #takeCall(): HttpCall | undefined {
    const call = this.#call;
    this.#call = undefined;
    if (call) call.connection = undefined;
    return call;
  }
}

function measureHandshake(socket: Socket, onHandshake: (durationMs: number) => void): void {
  let startedAtMs = performance.now();
  socket.once('lookup', () => (startedAtMs = performance.now()));
  socket.once('connect', () => onHandshake(performance.now() - startedAtMs));
}
