/** Writes the response: every outcome to its status, headers and body. */
import type { ServerResponse } from 'node:http';
import type { Outcome } from '../exchange/outcome.ts';
import type { RateLimitResult } from '../limits/rate-limiter.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import type { RequestContext } from './request-context.ts';
import { nextRetryAfter } from './retry-after.ts';

export function respond(response: ServerResponse, { requestId, rateLimit }: RequestContext, outcome: Outcome): void {
  const headers = commonHeaders(requestId, rateLimit);
  switch (outcome.kind) {
    case 'bid':
    case 'no_bid':
      if (!outcome.response) return void response.writeHead(204, headers).end();
      headers.push('x-openrtb-version', '2.6');
      sendJson(response, 200, headers, JSON.stringify(outcome.response));
      return;
    case 'invalid':
    case 'refused':
    case 'error':
      headers.push(...errorHeaders(outcome.error));
      sendJson(response, outcome.error.status, headers, errorBody(outcome.error, requestId));
      return;
  }
}

/** A bucket has a token again within one refill interval, which is one second at most. */
const retryAfterSeconds = '1';

/** Names and values in one list, which node:http writes without merging or looking up. */
export function commonHeaders(requestId: string, rateLimit: RateLimitResult | undefined): string[] {
  if (!rateLimit) return ['X-Request-Id', requestId];
  const { admitted, limit, remaining, resetAtMs } = rateLimit;
  const headers = [
    'X-Request-Id',
    requestId,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetAtMs / 1000)),
  ];
  if (!admitted) headers.push('Retry-After', retryAfterSeconds);
  return headers;
}

/** The rest of the request, if any, is not worth reading. */
const closing = new Set([
  'http.bodyTimeout',
  'http.smallChunks',
  'http.malformed',
  'http.expectation',
  'server.bodyMemory',
]);

/** Whether the connection closes after this error, even if the client gets another one, such as 429. */
export const closesConnection = (name: string): boolean => closing.has(name);

function errorHeaders({ name, status }: ErrorResponse): string[] {
  const headers = closing.has(name) ? ['Connection', 'close'] : [];
  if (name === 'http.method') headers.push('Allow', 'POST');
  if (status === 401) headers.push('WWW-Authenticate', 'Bearer');
  if (status === 503) headers.push('Retry-After', String(nextRetryAfter()));
  return headers;
}

export function errorBody({ code, message, field, reason, errors }: ErrorResponse, requestId: string): string {
  const details = { ...(field !== undefined && { field }), reason, ...(errors && { errors }) };
  return JSON.stringify({ error: { code, message, details, request_id: requestId } });
}

function sendJson(response: ServerResponse, status: number, headers: string[], body: string): void {
  const bytes = Buffer.byteLength(body);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes));
  response.writeHead(status, headers);
  response.end(body, bytes === body.length ? 'latin1' : 'utf8'); // latin1 writes ASCII faster
}
