/** Baseline: the calls to partners with undici's `dispatch`, with the same limits as the exchange's own client (decision 31). */
import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { memoize } from '../../../src/cache/memoize.ts';
import type { CallPartner } from '../../../src/demand/call-partner.ts';
import type { Cancellation, CancelReason } from '../../../src/demand/cancellation.ts';
import { largeBytes } from '../../../src/pacing/pacer.ts';
import { decodeResponse, maxResponseBytes } from '../../../src/demand/decode-response.ts';
import type { ConnectOptions } from '../../../src/http-client/connection.ts';

/** Connections to one partner per worker. Further calls are skipped, not queued. */
const maxConnections = 256;
/** Bytes of a response that are not its body: headers, trailers, and the framing of chunks. */
const maxOverheadBytes = 16 * 1024;
const maxFramingBytes = 8; // per chunk
const maxInformational = 10;
/** Pieces in which a body may arrive, besides one per 64 bytes: each piece has a cost. */
const maxSmallChunks = 1_000;
const minChunkBytes = 64;
/** Hosts of one partner. An adapter that calls more takes them from the request, which is a defect. */
const maxHosts = 16;

/** Calls one partner over its own connection pool. Its large responses wait for their turn. */
export function createUndiciCallPartner(takeTurn: () => Promise<boolean>, connect: ConnectOptions = {}): CallPartner {
  const pools = new Map<string, Pool>();
  let inFlight = 0;
  return async ({ method, url, headers, traceHeaders, body, maxBytes = maxResponseBytes }, cancellation) => {
    if (inFlight >= maxConnections) return { result: 'skipped' };
    const { origin, path } = splitUrl(url);
    const pool = pools.get(origin) ?? openPool(pools, origin, connect);
    const exchange = new HttpExchange(cancellation, maxBytes, takeTurn);
    inFlight++;
    void exchange.closed.then(() => inFlight--);
    pool.dispatch(
      {
        method,
        origin,
        path,
        headers: { ...headers, ...traceHeaders, 'accept-encoding': 'gzip' },
        ...(body !== undefined && { body }),
      },
      exchange,
    );
    const ending = await exchange.ending;
    if (ending === 'complete' && cancellation.isAbandoned) return { result: 'no_bid' }; // nobody needs the body
    if (ending === 'complete') return decodeResponse(exchange.body, exchange.gzipped, maxBytes);
    const { errorStatus } = exchange;
    return errorStatus === undefined ? { result: ending } : { result: ending, status: errorStatus };
  };
}

function openPool(pools: Map<string, Pool>, origin: string, { lookup, onHandshake }: ConnectOptions): Pool {
  if (pools.size >= maxHosts) throw new Error(`a partner has more than ${maxHosts} hosts; the latest is ${origin}`);
  const pool = new Pool(origin, {
    factory: (_origin, options) => new Connection(origin, options as ConnectionOptions, onHandshake),
    connections: maxConnections,
    pipelining: 1,
    allowH2: false, // `Connection` counts the bytes of one response at a time
    maxHeaderSize: maxResponseBytes, // beyond it undici creates one error per header; `maxOverheadBytes` is reached first
    keepAliveTimeout: 30_000,
    connect: { timeout: 1_000, ...(lookup && { lookup }) },
    headersTimeout: 6_000,
    bodyTimeout: 6_000,
  });
  pools.set(origin, pool);
  return pool;
}

type ConnectionOptions = Client.Options & { connect: buildConnector.connector };

/** A connection of a pool. Its current exchange checks the number of bytes before more of them are parsed. */
class Connection extends Client {
  #exchange: HttpExchange | undefined;
  /** Bytes parsed since the connection was opened, and when the current exchange began. */
  #parsed = 0;
  #parsedBefore = 0;

  constructor(origin: string, options: ConnectionOptions, onHandshake?: (durationMs: number) => void) {
    super(origin, {
      ...options,
      connect: (target, callback) => {
        const opening = options.connect(target, (...[error, socket]) => {
          if (error) return callback(error, null);
          this.#watch(socket);
          callback(null, socket);
        });
        if (onHandshake) measureHandshake(opening as unknown as Socket, onHandshake);
      },
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, exchange: Dispatcher.DispatchHandler): boolean {
    this.#exchange = exchange as HttpExchange;
    this.#parsedBefore = this.#parsed;
    return super.dispatch(options, exchange);
  }

  #watch(socket: Socket): void {
    this.#parsed = this.#parsedBefore = 0;
    socket.on('readable', () => {
      this.#exchange?.checkOverhead(this.#parsed - this.#parsedBefore);
      this.#parsed = socket.bytesRead; // undici's own listener parses them next
    });
  }
}

/** Without the lookup of the host name and without TLS. undici returns the socket while it is being connected, which its types omit. */
function measureHandshake(socket: Socket, onHandshake: (durationMs: number) => void): void {
  let startedAtMs = performance.now();
  socket.once('lookup', () => (startedAtMs = performance.now()));
  socket.once('connect', () => onHandshake(performance.now() - startedAtMs));
}

/** Most partners have one URL. */
const splitUrl = memoize({ maxEntries: 100, maxKeyLength: 1_000 }, (url) => {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
});

/** `skipped`: the response was received, but the worker has no time for it. */
type Ending = 'complete' | 'no_bid' | 'error' | 'invalid' | 'skipped' | CancelReason;

/** One HTTP request and its response: undici's callbacks settle two promises. */
class HttpExchange implements Dispatcher.DispatchHandler {
  /** Resolves as soon as it is known how the call ends. */
  readonly ending: Promise<Ending>;
  /** Resolves when the connection is free again, or gone. */
  readonly closed: Promise<void>;
  gzipped = false;
  /** The status that made the call an `error`. */
  errorStatus: number | undefined;
  #settle!: (ending: Ending) => void;
  #close!: () => void;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;
  readonly #cancellation: Cancellation;
  readonly #maxBytes: number;
  readonly #takeTurn: () => Promise<boolean>;
  #isReceived = false;
  #chunks: Buffer[] = [];
  #chunkCount = 0;
  #informational = 0;
  #bytes = 0;

  constructor(cancellation: Cancellation, maxBytes: number, takeTurn: () => Promise<boolean>) {
    this.#cancellation = cancellation;
    this.#maxBytes = maxBytes;
    this.#takeTurn = takeTurn;
    this.ending = new Promise((resolve) => (this.#settle = resolve));
    this.closed = new Promise((resolve) => (this.#close = resolve));
    cancellation.onCancel((reason) => this.#abort(this.#isReceived ? 'skipped' : reason));
  }

  get body(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('cancelled'));
  }

  checkOverhead(parsedBytes: number): void {
    const allowed = maxOverheadBytes + this.#chunkCount * maxFramingBytes;
    if (parsedBytes - this.#bytes > allowed) this.#abort('invalid');
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: NodeJS.Dict<unknown>): void {
    if (status < 200) {
      if (++this.#informational > maxInformational) this.#abort('invalid');
      return; // the response is still to come
    }
    if (status === 204) this.#end('no_bid');
    else if (status !== 200) this.#reject(status);
    this.gzipped = /^(x-)?gzip$/i.test(((headers['content-encoding'] as string | undefined) ?? '').trim());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#chunkCount++;
    const tooMany = this.#chunkCount > maxSmallChunks + this.#bytes / minChunkBytes;
    if (tooMany || this.#bytes > this.#maxBytes) this.#abort('invalid');
    else if (this.#cancellation.isAbandoned) this.#chunks = [];
    else if (!this.#settled) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#close();
    if (this.#bytes <= largeBytes || this.#cancellation.isAbandoned) return this.#end('complete');
    this.#isReceived = true;
    void this.#takeTurn().then((isTurn) => this.#end(isTurn ? 'complete' : 'skipped'));
  }

  onResponseError(): void {
    this.#close();
    this.#end('error');
  }

  /** The body is not read: it may never end. */
  #reject(status: number): void {
    if (!this.#settled) this.errorStatus = status;
    this.#abort('error');
  }

  #abort(ending: Ending): void {
    if (this.#settled) return;
    this.#end(ending);
    this.#chunks = [];
    this.#controller?.abort(new Error('cancelled'));
  }

  #end(ending: Ending): void {
    this.#settled = true;
    this.#settle(ending);
  }
}
