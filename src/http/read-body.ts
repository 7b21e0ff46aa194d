/** Reads the body of a bid request: from the socket to parsed JSON, or to the error that the response will carry. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import type { Request, RequestHandler } from 'express';
import { freeBytes } from '../bytes/free-bytes.ts';
import { gunzip, isCostlyGzip, maxGzippedBytes } from '../gzip/gunzip.ts';
import { describeJsonError } from '../json/describe-json-error.ts';
import { describeValue } from '../json/describe-value.ts';
import { invalidUtf8Offset } from '../json/invalid-utf8-offset.ts';
import { notJson, parseJson, tooComplex, tooDeep } from '../json/parse-json.ts';
import { largeBytes, type Turns } from '../pacing/pacer.ts';
import type { Admission } from './admission.ts';
import { chunkErrorOf, isChunked } from './chunked-body.ts';
import { hasLeft } from './client-closed.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { discardBody } from './discard-body.ts';
import { dropBodyAndClose } from './drop-body.ts';
import type { HttpErrorName } from './http-errors.ts';
import { type BodyLimits, BodyReceiver } from './receive-body.ts';
import type { RequestContext } from './request-context.ts';
import { closesConnection } from './respond.ts';

/** `detail` completes the reason of the error. */
export type BodyResult = { value: unknown } | BodyError;

export interface BodyError {
  error: HttpErrorName;
  detail?: string;
}

/**
 * An error is only recorded here: rate limiting takes precedence over every other error. The request of a client that
 * disconnects has no body.
 */
export function readBody(
  limits: BodyLimits,
  concurrency: ConcurrencyLimiter,
  pacer: Turns,
  { control, clock }: Admission,
): RequestHandler {
  return async (request, response, next) => {
    const { context } = request;
    const { slot } = context;
    if (slot) {
      const expectsContinue = request.headers.expect !== undefined && request.httpVersion === '1.1';
      const onAccepted = () => expectsContinue && response.writeContinue();
      const received = await receive(request, limits, pacer, onAccepted);
      let body: BodyResult | undefined;
      if (!Buffer.isBuffer(received)) body = received;
      else if (hasLeft(request)) body = undefined;
      else {
        const { isCostly } = slot.client.cost;
        const isPlain = received.length <= largeBytes && encodingOf(request) === 'identity' && !isCostly;
        body = isPlain ? parse(received, context) : await decode(received, request, limits.maxBytes, pacer, isCostly);
        freeBytes(received);
      }
      // The wait for a turn is no sign of overload: it lasts however idle the worker is.
      context.inProgressSince = clock.turn();
      control.start();
      if (!request.complete) discardBody(request);
      if (body && 'error' in body && closesConnection(body.error)) response.shouldKeepAlive = false;
      if (body) context.body = concurrency.startHandling(slot) ? body : { error: 'server.unavailable' };
      context.bodyReadAtMs = performance.now();
    } else discardBody(request);
    next();
  };
}

/** `onAccepted` is called before the first byte is read, if the headers allow a body at all. */
async function receive(
  request: Request,
  limits: BodyLimits,
  pacer: Turns,
  onAccepted: () => void,
): Promise<Buffer | BodyError | undefined> {
  const { context } = request;
  const rejected = checkHeaders(request, limits.maxBytes) ?? chunkErrorOf(request);
  if (rejected) return rejected;
  const isLarge = context.slot!.client.cost.isCostly || Number(request.headers['content-length'] ?? 0) > largeBytes;
  const hopeless = isLarge ? refuseIfHopeless(request, pacer) : undefined;
  if (hopeless) return hopeless;
  onAccepted();
  const receiver = new BodyReceiver(request, limits, () => refuseIfHopeless(request, pacer));
  context.bodyReceiver = receiver;
  const received = await receiver.received;
  return received === 'aborted' ? undefined : received;
}

/** A body that would have to wait for a turn that is not likely to come is not read, or not further. */
function refuseIfHopeless(request: Request, pacer: Turns): BodyError | undefined {
  if (!pacer.isLate(request.context.rateLimitKeys.ip)) return undefined;
  if (isChunked(request) && !request.complete) dropBodyAndClose(request.socket); // its chunks may be what costs so much
  return noTurn;
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

/** For a large or compressed body, or a costly client: what is likely to take long waits for its turn before each step. Undefined if the client leaves meanwhile. */
async function decode(
  body: Buffer,
  request: Request,
  maxBytes: number,
  pacer: Turns,
  costly: boolean,
): Promise<BodyResult | undefined> {
  const { context } = request;
  const takeTurn = () => pacer.turn(context.rateLimitKeys.ip);
  const isGzip = encodingOf(request) === 'gzip';
  if (isGzip && body.length > maxGzippedBytes) return { error: 'http.tooLarge', detail: tooLargeCompressed(body) };
  context.isPaced = costly || (isGzip ? isCostlyGzip(body, largeBytes) : body.length > largeBytes);
  if (context.isPaced && !(await takeTurn())) return noTurn;
  if (hasLeft(request)) return undefined;
  if (!isGzip) return parse(body, context);
  const inflated = charged(context, () => gunzip(body, maxBytes));
  if ('problem' in inflated) {
    return inflated.isTooLarge ? { error: 'http.tooLarge' } : { error: 'body.notGzip', detail: inflated.problem };
  }
  context.isPaced = costly || inflated.bytes.length > largeBytes;
  if (context.isPaced && !(await takeTurn())) return noTurn;
  if (hasLeft(request)) return undefined;
  const result = parse(inflated.bytes, context);
  freeBytes(inflated.bytes);
  return result;
}

const tooLargeCompressed = ({ length }: Buffer): string =>
  `got ${length} bytes compressed, of which there may be ${maxGzippedBytes}`;

const noTurn: BodyError = { error: 'server.costly' };

/** What a body takes counts as a cost of its client, also if it is not valid. */
function charged<T>(context: RequestContext, run: () => T): T {
  const { costClock } = context.slot!;
  const before = costClock();
  const result = run();
  context.costMs += costClock() - before;
  return result;
}

const parse = (bytes: Buffer, context: RequestContext): BodyResult => charged(context, () => parseBytes(bytes));

function parseBytes(bytes: Buffer): BodyResult {
  if (!isUtf8(bytes)) return { error: 'body.notJson', detail: `invalid UTF-8 at byte ${invalidUtf8Offset(bytes)}` };
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  if (value === tooDeep) return { error: 'body.tooDeep' };
  if (value === tooComplex) return { error: 'body.tooComplex' };
  return value === notJson ? { error: 'body.notJson', detail: describeJsonError(text) } : { value };
}
