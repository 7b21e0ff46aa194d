/** The rows of the error table for HTTP, body, rate limit and server errors, and the whole table. */
import { bodyTooLarge } from '../contract/api-limits.ts';
import type { FailedOutcome } from '../exchange/outcome.ts';
import { maxExponents, maxNames, shapesPerName } from '../json/json-budget.ts';
import { maxContainers, maxDepth } from '../json/parse-json.ts';
import { type ErrorResponse, type ErrorRow, errorRow, invalidRequest, unsupported } from '../openrtb/error-row.ts';
import { fieldErrors, notOpenRtb } from '../openrtb/field-errors.ts';
import { largeBytes } from '../pacing/pacer.ts';
import { minAverageBytes } from './chunk-decoder.ts';

/** Errors that concern the HTTP request as a whole, not one of its fields. */
export const httpErrors = {
  'http.contentType': unsupported(
    'Unsupported content type',
    'none',
    'send Content-Type: application/json, without a charset or with charset=utf-8',
  ),
  'http.contentEncoding': unsupported(
    'Unsupported content encoding',
    'none',
    'send the body uncompressed, or compressed with Content-Encoding: gzip',
  ),
  'http.tooLarge': errorRow(413, 'PAYLOAD_TOO_LARGE', 'Payload too large', `${bodyTooLarge}, after decompression too`),
  'http.bodyTimeout': errorRow(
    408,
    'REQUEST_TIMEOUT',
    'Request timeout',
    'the body did not arrive in time; send it right after the headers',
  ),
  'http.headersTimeout': errorRow(
    408,
    'REQUEST_TIMEOUT',
    'Request timeout',
    'the headers did not arrive in time; send them right after connecting',
  ),
  'http.headersTooLarge': errorRow(
    431,
    'INVALID_REQUEST',
    'Malformed HTTP request',
    'the headers must be at most 16 KiB in total',
  ),
  'http.smallChunks': invalidRequest(
    'Malformed HTTP request',
    'none',
    `the chunks of the body are too small; send chunks of ${minAverageBytes} bytes or more on average`,
  ),
  'http.expectation': errorRow(
    417,
    'INVALID_REQUEST',
    'Expectation failed',
    'the only supported expectation is Expect: 100-continue',
  ),
  'http.malformed': invalidRequest('Malformed HTTP request', 'none', 'the request is not valid HTTP/1.1'),
  'body.notJson': invalidRequest('Invalid JSON format', 'none', 'the body is not valid JSON'),
  'body.tooDeep': invalidRequest(
    notOpenRtb,
    'none',
    `the body must have at most ${maxDepth} levels of nested objects and arrays, itself included; got more`,
  ),
  'body.tooComplex': invalidRequest(
    notOpenRtb,
    'none',
    `the body must have at most ${maxContainers} objects and arrays, ${maxNames} different member names in ${shapesPerName * maxNames} different orders and ${maxExponents} numbers with an exponent; got more`,
  ),
  'body.notGzip': invalidRequest('Invalid JSON format', 'none', 'the body is not valid gzip data'),
  'http.notFound': errorRow(404, 'NOT_FOUND', 'Not found', 'send bid requests to POST /openrtb2'),
  'http.method': errorRow(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', 'send bid requests with POST'),
  'publisher.noKey': unauthorized(
    'this publisher id is accepted only with an API key of the publisher; send Authorization: Bearer and the key',
  ),
  'publisher.noKeyOrAddress': unauthorized(
    'this publisher id is accepted only with an API key of the publisher or from its address ranges; send Authorization: Bearer and the key',
  ),
  'publisher.wrongKey': unauthorized(
    'the API key in Authorization is not a key of this publisher; send a key of the publisher, or its own publisher id',
  ),
  'publisher.wrongAddress': unauthorized(
    'this publisher id is accepted only from the address ranges of the publisher; this client address is in none of them',
  ),
  'limit.ip': rateLimited('rate limit exceeded for this IP address (scope ip)'),
  'limit.publisher': rateLimited('rate limit exceeded for this publisher (scope publisher)'),
  'limit.global': rateLimited('rate limit exceeded for all requests together (scope global)'),
  'server.defect': errorRow(
    500,
    'INTERNAL_ERROR',
    'Internal error',
    'the exchange failed to process the request; treat it as no bid',
  ),
  'server.unavailable': errorRow(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    'the exchange is overloaded; send further requests after the time in Retry-After',
  ),
  'server.overloaded': errorRow(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    'the exchange is overloaded and did not read the request; send further requests after the time in Retry-After',
  ),
  'server.bodyMemory': errorRow(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    'the exchange holds too many unfinished bodies; send each body right after its headers',
  ),
  'server.costly': errorRow(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    `the exchange has too many costly requests to process; send further requests after the time in Retry-After, or send less than ${largeBytes / 1024} KiB and simpler requests`,
  ),
  'server.clientBusy': errorRow(
    503,
    'SERVICE_UNAVAILABLE',
    'Service unavailable',
    'this IP address has too many requests in flight; wait for their responses',
  ),
} satisfies Record<string, ErrorRow>;

function rateLimited(reason: string): ErrorRow {
  return errorRow(
    429,
    'RATE_LIMIT_EXCEEDED',
    'Rate limit exceeded',
    `${reason}; send further requests after the time in Retry-After`,
  );
}

/** The client may not use the publisher id. The error's `field` is the path of that id. */
function unauthorized(reason: string): ErrorRow {
  return { ...errorRow(401, 'UNAUTHORIZED', 'Unauthorized', reason), field: 'itself' };
}

export type HttpErrorName = keyof typeof httpErrors;

/** Every error that the exchange can respond with. */
export const errorTable = { ...fieldErrors, ...httpErrors };
export type ErrorName = keyof typeof errorTable;

/** `detail` is appended to the reason: what exactly is wrong with this request. */
export function httpError(name: HttpErrorName, detail?: string): ErrorResponse {
  const { status, code, message, reason } = httpErrors[name];
  return { name, status, code, message, reason: detail === undefined ? reason : `${reason}; ${detail}` };
}

/** The outcome of a request that fails with a row of the table. */
export function failed(name: HttpErrorName, detail?: string): FailedOutcome {
  const error = httpError(name, detail);
  if (error.status === 429) return { kind: 'refused', error };
  return { kind: error.status >= 500 ? 'error' : 'invalid', error };
}
