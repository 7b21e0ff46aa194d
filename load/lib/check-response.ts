/** Compares a response with the expectation: status, headers, bids or error body. */
import { check } from 'k6';
import type { RefinedResponse } from 'k6/http';
import { bidsOf, isAboveFloor, isTestReport, matchesNativeRequest, parseObject } from './bids.ts';
import type { ExpectedAuction, ExpectedError } from './load-request.ts';

export type Response = RefinedResponse<'text'>;
type Checks = Record<string, (response: Response) => boolean>;

export function checkResponse(response: Response, expected: ExpectedAuction | ExpectedError): void {
  runChecks(response, expected.kind === 'error' ? errorChecks(expected) : auctionChecks(response, expected));
}

/** `limit` is the limit of the scope, which a 429 reports in `X-RateLimit-Limit`. */
export function checkRateLimited(response: Response, scope: string, limit: number): void {
  runChecks(response, {
    ...errorChecks({ kind: 'error', status: 429, code: 'RATE_LIMIT_EXCEEDED' }),
    '429 names the scope': ({ body }) => new RegExp(`\\b${scope}\\b`, 'i').test(errorOf(body)?.details?.reason ?? ''),
    '429 has Retry-After': ({ headers }) => /^[1-9]\d*$/.test(headers['Retry-After'] ?? ''),
    '429 headers show an empty bucket': ({ headers }) =>
      headers['X-Ratelimit-Limit'] === String(limit) && headers['X-Ratelimit-Remaining'] === '0',
  });
}

function runChecks(response: Response, checks: Checks): void {
  if (!check(response, checks)) logFailure(response, checks);
}

function auctionChecks(response: Response, { statuses, budgetMs, id, placements, testLevel }: ExpectedAuction): Checks {
  const common: Checks = {
    'status is as expected': ({ status, timings }) =>
      statuses.includes(status) || (testLevel === undefined && status === 204 && timings.duration >= budgetMs),
    'rate-limit headers and request id are present': hasHeaders,
  };
  if (response.status === 204) return { ...common, 'no-bid response has no body': ({ body }) => !body };
  if (response.status !== 200) return common;
  const bidResponse = parseObject(response.body);
  const bids = bidsOf(bidResponse);
  return {
    ...common,
    'bid response is well formed': ({ headers }) =>
      headers['X-Openrtb-Version'] === '2.6' && isJson(response) && bidResponse.id === id && bidResponse.cur === 'USD',
    'bids reach the floor': () => bids.every((bid) => isAboveFloor(bid, placements)),
    'bids have the requested assets': () => bids.every((bid) => matchesNativeRequest(bid, placements)),
    ...(testLevel === undefined
      ? { 'bid response has a bid': () => bids.length > 0 }
      : { 'test response has a report and no notice URLs': () => isTestReport(bidResponse, bids, testLevel) }),
  };
}

const errorChecks = ({ status, code, field }: ExpectedError): Checks => ({
  'status is as expected': (response) => response.status === status,
  'rate-limit headers and request id are present': hasHeaders,
  'error body is well formed': (response) => {
    const error = errorOf(response.body);
    return (
      isJson(response) &&
      error?.code === code &&
      typeof error.message === 'string' &&
      typeof error.details?.reason === 'string' &&
      error.details.field === field &&
      error.request_id === response.headers['X-Request-Id']
    );
  },
});

interface ErrorBody {
  code?: unknown;
  message?: unknown;
  details?: { field?: unknown; reason?: string };
  request_id?: unknown;
}

const errorOf = (body: string): ErrorBody | undefined => parseObject(body).error as ErrorBody | undefined;

const isJson = ({ headers }: Response): boolean => (headers['Content-Type'] ?? '').startsWith('application/json');

/** k6 capitalises header names its own way. */
function hasHeaders({ headers }: Response): boolean {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => headers[`X-Ratelimit-${name}`] ?? '');
  const areIntegers = [limit, remaining, reset].every((text) => /^\d+$/.test(text!));
  return areIntegers && Number(remaining) <= Number(limit) && (headers['X-Request-Id'] ?? '') !== '';
}

const maxLineLength = 400;
let hasLogged = false;

/** Prints the first failure of each virtual user, shortened; the same request can be generated again. */
function logFailure(response: Response, checks: Checks): void {
  if (hasLogged) return;
  hasLogged = true;
  const failed = Object.keys(checks).filter((name) => !checks[name]!(response));
  const { method, url, body } = response.request;
  const { status, error, headers, timings } = response;
  const lines = [
    failed.join('; '),
    `${method} ${url} ${body}`,
    `${status} ${error} after ${timings.duration} ms ${JSON.stringify(headers)} ${response.body ?? ''}`,
  ];
  // oxlint-disable-next-line no-console -- k6 scripts have no other output
  console.error(lines.map((line) => line.slice(0, maxLineLength)).join('\n  '));
}
