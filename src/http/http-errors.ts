/** The rows of the error table for HTTP, body, rate limit and server errors, and the whole table. */
import type { FailedOutcome } from '../exchange/outcome.ts';
import { type ErrorResponse, type ErrorRow, errorRow, invalidRequest, unsupported } from '../openrtb/error-row.ts';
import { fieldErrors } from '../openrtb/field-errors.ts';

/** What is wrong with the call itself, before or besides its fields. */
export const httpErrors = {
  'http.contentType': unsupported('Unsupported content type', 'none', 'send Content-Type: application/json, in UTF-8'),
  'http.contentEncoding': unsupported(
    'Unsupported content encoding',
    'none',
    'send the body as it is or with Content-Encoding: gzip',
  ),
  'http.tooLarge': errorRow(413, 'PAYLOAD_TOO_LARGE', 'Payload too large', 'the body must not exceed 256 KiB'),
  'http.bodyTimeout': errorRow(408, 'REQUEST_TIMEOUT', 'Request timeout', 'the body did not arrive in time'),
  'http.headersTimeout': errorRow(408, 'REQUEST_TIMEOUT', 'Request timeout', 'the headers did not arrive in time'),
  'http.headersTooLarge': errorRow(
    431,
    'INVALID_REQUEST',
    'Malformed HTTP request',
    'the headers must not exceed 16 KiB',
  ),
  'http.malformed': invalidRequest('Malformed HTTP request', 'none', 'the request is not valid HTTP/1.1'),
  'body.notJson': invalidRequest('Invalid JSON format', 'none', 'the body is not valid JSON in UTF-8'),
  'body.notGzip': invalidRequest('Invalid JSON format', 'none', 'the body cannot be inflated'),
  'http.notFound': errorRow(404, 'NOT_FOUND', 'Not found', 'the bidding endpoint is POST /openrtb2'),
  'http.method': errorRow(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', 'use POST'),
  'limit.ip': errorRow(429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded', 'the limit of scope ip is used up'),
  'limit.publisher': errorRow(
    429,
    'RATE_LIMIT_EXCEEDED',
    'Rate limit exceeded',
    'the limit of scope publisher is used up',
  ),
  'limit.global': errorRow(429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded', 'the limit of scope global is used up'),
  'server.defect': errorRow(
    500,
    'INTERNAL_ERROR',
    'Internal error',
    'the exchange failed; the request may be sent again',
  ),
  'server.unavailable': errorRow(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    'the exchange has too much to do; send the request again later',
  ),
} satisfies Record<string, ErrorRow>;

export type HttpErrorName = keyof typeof httpErrors;

/** Every error that a caller can get. */
export const errorTable = { ...fieldErrors, ...httpErrors };
export type ErrorName = keyof typeof errorTable;

export function httpError(name: HttpErrorName): ErrorResponse {
  const { status, code, message, reason } = httpErrors[name];
  return { name, status, code, message, reason };
}

/** The outcome of a request that fails by a row of the table: the status says who must act. */
export function failed(name: HttpErrorName): FailedOutcome {
  const error = httpError(name);
  if (error.status === 429) return { kind: 'refused', error };
  return { kind: error.status >= 500 ? 'error' : 'invalid', error };
}
