/** Reads the body of a bid request: from the socket to parsed JSON, or to the error that the response will carry. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parse as parseContentType } from 'content-type';
import type { RequestHandler } from 'express';
import { describeJsonError } from '../json/describe-json-error.ts';
import { describeValue } from '../json/describe-value.ts';
import { invalidUtf8Offset } from '../json/invalid-utf8-offset.ts';
import { notJson, parseJson } from '../json/parse-json.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { HttpErrorName } from './http-errors.ts';

/** `detail` completes the reason of the error. */
export type BodyResult = { value: unknown } | BodyError;

export interface BodyError {
  error: HttpErrorName;
  detail?: string;
}

export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
}

/** An error is only recorded here: rate limiting takes precedence over every other error. */
export const readBody =
  (limits: BodyLimits, concurrency: ConcurrencyLimiter): RequestHandler =>
  async (request, response, next) => {
    const { context } = request;
    const { slot } = context;
    if (slot) {
      const expectsContinue = request.headers.expect !== undefined;
      const body = await receive(request, limits, () => expectsContinue && response.writeContinue());
      if (body === 'aborted') return; // the client is gone
      context.body = concurrency.startHandling(slot) ? body : { error: 'server.unavailable' };
      context.bodyReadAtMs = performance.now();
    }
    next();
  };

/** `onAccepted` is called before the first byte is read, if the headers allow a body at all. */
async function receive(
  request: IncomingMessage,
  limits: BodyLimits,
  onAccepted: () => void,
): Promise<BodyResult | 'aborted'> {
  const rejected = checkHeaders(request, limits.maxBytes);
  if (rejected) return rejected;
  onAccepted();
  const received = await new BodyReceiver(request, limits).received;
  if (typeof received === 'string') return received === 'aborted' ? received : { error: received };
  return decode(received, encodingOf(request) === 'gzip', limits.maxBytes);
}

type Received = Buffer | 'http.tooLarge' | 'http.bodyTimeout' | 'aborted';

/** Collects the chunks of a body; the events of the request and the timeout settle one promise. */
class BodyReceiver {
  readonly received: Promise<Received>;
  readonly #request: IncomingMessage;
  readonly #limits: BodyLimits;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #settle!: (received: Received) => void;
  #timer: NodeJS.Timeout | undefined;
  #settled = false;

  constructor(request: IncomingMessage, limits: BodyLimits) {
    this.#request = request;
    this.#limits = limits;
    this.received = new Promise((resolve) => (this.#settle = resolve));
    request.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore);
    afterThisTurn(this.#watch);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.maxBytes) this.#stop('http.tooLarge');
    else this.#chunks.push(chunk);
  };

  readonly #onEnd = (): void => {
    this.#finish(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes));
  };

  /** Most bodies are complete in the turn of the event loop in which they begin: only the others need a timer. */
  readonly #watch = (): void => {
    if (this.#settled) return;
    if (this.#request.destroyed) return this.#finish('aborted');
    this.#timer = setTimeout(() => this.#stop('http.bodyTimeout'), this.#limits.timeoutMs);
    this.#request.on('close', () => this.#finish('aborted'));
  };

  /** The rest of the body is read and dropped. */
  #stop(reason: Received): void {
    this.#request.off('data', this.#onData).off('end', this.#onEnd).resume();
    this.#finish(reason);
  }

  #finish(received: Received): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#settle(received);
  }
}

const ignore = () => {};

let nextTurn: (() => void)[] = [];

function afterThisTurn(run: () => void): void {
  if (nextTurn.push(run) === 1) setImmediate(runNextTurn);
}

function runNextTurn(): void {
  const all = nextTurn;
  nextTurn = [];
  for (const run of all) run();
}

const encodingOf = ({ headers }: IncomingMessage): string =>
  headers['content-encoding']?.trim().toLowerCase() ?? 'identity';

function checkHeaders(request: IncomingMessage, maxBytes: number): BodyError | undefined {
  const { headers } = request;
  const type = headers['content-type'];
  if (!isJsonContentType(type)) {
    return {
      error: 'http.contentType',
      detail: type === undefined ? 'got no Content-Type' : `got ${describeValue(type)}`,
    };
  }
  const encoding = encodingOf(request);
  if (!['identity', 'gzip'].includes(encoding)) {
    return { error: 'http.contentEncoding', detail: `got ${describeValue(encoding)}` };
  }
  const length = Number(headers['content-length'] ?? 0);
  return length > maxBytes ? { error: 'http.tooLarge', detail: `got ${length} bytes` } : undefined;
}

/** `application/json` without a charset or with utf-8. */
function isJsonContentType(header: string | undefined): boolean {
  if (header === 'application/json') return true;
  if (header === undefined) return false;
  const { type, parameters } = parseContentType(header);
  return type === 'application/json' && (parameters.charset ?? 'utf-8').toLowerCase() === 'utf-8';
}

function decode(body: Buffer, gzipped: boolean, maxBytes: number): BodyResult {
  let bytes = body;
  if (gzipped) {
    try {
      bytes = gunzipSync(body, { maxOutputLength: maxBytes });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === 'ERR_BUFFER_TOO_LARGE' ? { error: 'http.tooLarge' } : { error: 'body.notGzip', detail: message };
    }
  }
  if (!isUtf8(bytes)) return { error: 'body.notJson', detail: `invalid UTF-8 at byte ${invalidUtf8Offset(bytes)}` };
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  return value === notJson ? { error: 'body.notJson', detail: describeJsonError(text) } : { value };
}
