/** The one place that does HTTP with partners: pooled connections, no redirects, no retries, bounded answers. */
import { gunzipSync } from 'node:zlib';
import { type Dispatcher, Pool } from 'undici';
import { parseJson, notJson } from '../json/parse-json.ts';
import { memoize } from '../cache/memoize.ts';
import type { HttpCall } from './adapter.ts';
import type { PartnerResult } from './partner-result.ts';

/** Told once how a call ended: `bid` with the parsed body of a 200, whatever the adapter will find in it. */
export type Answered = (ending: PartnerResult, body?: unknown) => void;

/** Makes a call; returns how to abort it, which ends it as `late`. */
export type CallPartner = (call: HttpCall, answered: Answered, isTest: boolean) => () => void;

const maxAnswerBytes = 1024 * 1024;
const maxDepth = 32;
/** Connections to one partner from one worker; a call beyond them is not queued but skipped. */
const mostConnections = 256;

/** Calls to the partner at `endpoint`, over connections of its own. */
export function createCallPartner(endpoint: string): CallPartner {
  const { origin } = new URL(endpoint);
  const pool = new Pool(origin, {
    connections: mostConnections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: { timeout: 1_000 },
    headersTimeout: 6_000,
    bodyTimeout: 6_000,
  });
  let inFlight = 0;
  return ({ method, url, headers, body }, answered) => {
    if (inFlight >= mostConnections) {
      answered('skipped');
      return () => {};
    }
    inFlight++;
    const pending = new PendingCall(answered, () => inFlight--);
    pool.dispatch(
      {
        method,
        origin,
        path: pathOf(url),
        headers: { ...headers, 'accept-encoding': 'gzip' },
        ...(body !== undefined && { body }),
      },
      pending,
    );
    return () => pending.abort();
  };
}

/** Most partners are asked at one address. */
const pathOf = memoize({ maxEntries: 100, maxKeyLength: 1_000 }, (url) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
});

class PendingCall implements Dispatcher.DispatchHandler {
  readonly #answered: Answered;
  /** The connection is free again, or gone. */
  readonly #released: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #gzipped = false;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(answered: Answered, released: () => void) {
    this.#answered = answered;
    this.#released = released;
  }

  abort(): void {
    if (this.#over) return;
    this.#end('late');
    this.#controller?.abort(new Error('the auction is over'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the auction is over'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: NodeJS.Dict<unknown>): void {
    if (status < 200) return; // informational: the answer is still to come
    if (status === 204) this.#end('no_bid');
    else if (status !== 200) {
      this.#end('error');
      controller.abort(new Error('not an answer')); // its body may never end
    }
    this.#gzipped = /^(x-)?gzip$/i.test(((headers['content-encoding'] as string | undefined) ?? '').trim());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxAnswerBytes) {
      this.#end('invalid');
      controller.abort(new Error('the answer is too large'));
    } else if (!this.#over) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#released();
    if (this.#over) return;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const answer = decode(body, this.#gzipped);
    if (answer === notJson) this.#end('invalid');
    else this.#end('bid', answer);
  }

  onResponseError(): void {
    this.#released();
    this.#end('error');
  }

  #end(ending: PartnerResult, answer?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#answered(ending, answer);
    this.#chunks = [];
  }
}

function decode(body: Buffer, gzipped: boolean): unknown {
  try {
    const bytes = gzipped ? gunzipSync(body, { maxOutputLength: maxAnswerBytes }) : body;
    const answer = parseJson(bytes.toString('utf8'));
    return isWithin(maxDepth, answer) ? answer : notJson;
  } catch {
    return notJson; // not gzip, or more than the cap once inflated
  }
}

/** Whether nothing in a value is nested deeper. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isWithin(depth - 1, item)) return false;
  } else {
    for (const name in value) if (!isWithin(depth - 1, value[name as keyof typeof value])) return false;
  }
  return true;
}
