/** The station "read": the body of a bid request, from the socket to a value or to the error that it deserves. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parse as parseContentType } from 'content-type';
import type { HttpErrorName } from './http-errors.ts';
import { describeJsonError } from '../json/describe-json-error.ts';
import { invalidUtf8Offset } from '../json/invalid-utf8-offset.ts';
import { notJson, parseJson } from '../json/parse-json.ts';

export type BodyReading = { value: unknown } | { error: HttpErrorName; detail?: string };

export interface ReadingLimits {
  maxBytes: number;
  timeoutMs: number;
}

/** `begin` is called where the body will be read; `done` once, unless the client hangs up first: then nobody listens. */
export function readBody(
  request: IncomingMessage,
  limits: ReadingLimits,
  begin: () => void,
  done: (reading: BodyReading) => void,
): void {
  const refusal = refuseByHeaders(request, limits.maxBytes);
  if (refusal) return done({ error: refusal });
  begin();

  const gzipped = encodingOf(request) === 'gzip';
  const chunks: Buffer[] = [];
  let bytes = 0;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    over = true;
    clearTimeout(timer);
  };
  const decode = () => {
    giveUp();
    done(decodeBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes), gzipped, limits.maxBytes));
  };
  const keep = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.maxBytes) refuse('http.tooLarge');
    else chunks.push(chunk);
  };
  const refuse = (error: HttpErrorName) => {
    giveUp();
    request.off('data', keep).off('end', decode).resume();
    done({ error });
  };
  afterThisTurn(() => {
    if (over || request.destroyed) return;
    timer = setTimeout(refuse, limits.timeoutMs, 'http.bodyTimeout');
    request.on('close', giveUp);
  });
  request.on('data', keep).on('end', decode).on('error', ignore);
}

const ignore = () => {};

let waiting: (() => void)[] = [];

/** Most bodies are whole in the turn of the event loop in which they begin: only the others need a timer. */
function afterThisTurn(act: () => void): void {
  if (waiting.push(act) === 1) setImmediate(actAll);
}

function actAll(): void {
  const all = waiting;
  waiting = [];
  for (const act of all) act();
}

const encodingOf = ({ headers }: IncomingMessage): string =>
  headers['content-encoding']?.trim().toLowerCase() ?? 'identity';

function refuseByHeaders(request: IncomingMessage, maxBytes: number): HttpErrorName | undefined {
  const { headers } = request;
  if (!isJsonContentType(headers['content-type'])) return 'http.contentType';
  if (!['identity', 'gzip'].includes(encodingOf(request))) return 'http.contentEncoding';
  return Number(headers['content-length'] ?? 0) > maxBytes ? 'http.tooLarge' : undefined;
}

/** `application/json`, with no charset or that of UTF-8. */
function isJsonContentType(header: string | undefined): boolean {
  if (header === 'application/json') return true;
  if (header === undefined) return false;
  const { type, parameters } = parseContentType(header);
  return type === 'application/json' && (parameters.charset ?? 'utf-8').toLowerCase() === 'utf-8';
}

function decodeBody(body: Buffer, gzipped: boolean, maxBytes: number): BodyReading {
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
