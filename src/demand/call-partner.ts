/** The only HTTP client for partners: pooled connections, no redirects, no retries, bounded responses. */
import { gunzipSync } from 'node:zlib';
import { type Dispatcher, Pool } from 'undici';
import { memoize } from '../cache/memoize.ts';
import { isWithinDepth } from '../json/is-within-depth.ts';
import { notJson, parseJson } from '../json/parse-json.ts';
import type { HttpCall } from './adapter.ts';
import type { Cancellation, CancelReason } from './cancellation.ts';
import type { PartnerResult } from './partner-result.ts';

/** How a call ended: `bid` with the parsed body of a 200, whatever the adapter will find in it. */
export interface PartnerResponse {
  result: PartnerResult;
  body?: unknown;
  /** Size of the body as parsed. */
  bytes?: number;
}

/** Resolves when the partner has responded or when `cancellation` happens, whichever is first. Rejects only for a defect. */
export type CallPartner = (call: HttpCall, cancellation: Cancellation, isTest: boolean) => Promise<PartnerResponse>;

const maxResponseBytes = 1024 * 1024;
const maxDepth = 32;
/** Connections to one partner per worker. Further calls are skipped, not queued. */
const maxConnections = 256;
/** Hosts of one partner. An adapter that calls more takes them from the request, which is a defect. */
const maxHosts = 16;

/** Calls one partner over its own connection pool. */
export function createCallPartner(): CallPartner {
  const pools = new Map<string, Pool>();
  let inFlight = 0;
  return async ({ method, url, headers, body }, cancellation) => {
    if (inFlight >= maxConnections) return { result: 'skipped' };
    const { origin, path } = splitUrl(url);
    const pool = pools.get(origin) ?? openPool(pools, origin);
    const exchange = new HttpExchange(cancellation);
    inFlight++;
    void exchange.closed.then(() => inFlight--);
    pool.dispatch(
      {
        method,
        origin,
        path,
        headers: { ...headers, 'accept-encoding': 'gzip' },
        ...(body !== undefined && { body }),
      },
      exchange,
    );
    const ending = await exchange.ending;
    return ending === 'complete' ? decode(exchange.body, exchange.gzipped) : { result: ending };
  };
}

function openPool(pools: Map<string, Pool>, origin: string): Pool {
  if (pools.size >= maxHosts) throw new Error(`a partner has more than ${maxHosts} hosts; the latest is ${origin}`);
  const pool = new Pool(origin, {
    connections: maxConnections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: { timeout: 1_000 },
    headersTimeout: 6_000,
    bodyTimeout: 6_000,
  });
  pools.set(origin, pool);
  return pool;
}

/** Most partners have one URL. */
const splitUrl = memoize({ maxEntries: 100, maxKeyLength: 1_000 }, (url) => {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
});

type Ending = 'complete' | 'no_bid' | 'error' | 'invalid' | CancelReason;

/** One HTTP request and its response: undici's callbacks settle two promises. */
class HttpExchange implements Dispatcher.DispatchHandler {
  /** Resolves as soon as it is known how the call ends. */
  readonly ending: Promise<Ending>;
  /** Resolves when the connection is free again, or gone. */
  readonly closed: Promise<void>;
  gzipped = false;
  #settle!: (ending: Ending) => void;
  #close!: () => void;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(cancellation: Cancellation) {
    this.ending = new Promise((resolve) => (this.#settle = resolve));
    this.closed = new Promise((resolve) => (this.#close = resolve));
    cancellation.onCancel((reason) => this.#abort(reason));
  }

  get body(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('cancelled'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: NodeJS.Dict<unknown>): void {
    if (status < 200) return; // informational; the response is still to come
    if (status === 204) this.#end('no_bid');
    else if (status !== 200) this.#abort('error'); // its body may never end
    this.gzipped = /^(x-)?gzip$/i.test(((headers['content-encoding'] as string | undefined) ?? '').trim());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxResponseBytes) this.#abort('invalid');
    else if (!this.#settled) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#close();
    this.#end('complete');
  }

  onResponseError(): void {
    this.#close();
    this.#end('error');
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

function decode(body: Buffer, gzipped: boolean): PartnerResponse {
  const bytes = gzipped ? inflate(body) : body;
  const parsed = bytes ? parseJson(bytes.toString('utf8')) : notJson;
  if (parsed === notJson || !isWithinDepth(maxDepth, parsed)) return { result: 'invalid' };
  return { result: 'bid', body: parsed, bytes: bytes!.length };
}

/** Undefined for what is not gzip, or exceeds the limit once inflated. */
function inflate(body: Buffer): Buffer | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: maxResponseBytes });
  } catch {
    return undefined;
  }
}
