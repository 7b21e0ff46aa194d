/** Holds an answer against what was sent: the status, the headers, the bids or the error. */
import { check } from 'k6';
import type { Answer, Checks } from './answer.ts';
import { bidsOf, isAboveFloor, isReported, parse, servesRequest } from './bids.ts';
import { complain } from './complain.ts';
import type { ExpectedAuction, ExpectedError } from './sending.ts';

export function checkAnswer(answer: Answer, expected: ExpectedAuction | ExpectedError): void {
  const checks = expected.kind === 'error' ? errorChecks(expected) : auctionChecks(answer, expected);
  runChecks(answer, checks);
}

/** `limit` is that of the scope, which stands in the header of every refusal. */
export function checkRefusal(answer: Answer, scope: string, limit: number): void {
  runChecks(answer, {
    ...errorChecks({ kind: 'error', status: 429, code: 'RATE_LIMIT_EXCEEDED' }),
    'a refusal names its scope': ({ body }) => body.includes(`(scope ${scope})`),
    'a refusal says when to retry': ({ headers }) => /^[1-9]\d*$/.test(headers['Retry-After'] ?? ''),
    'a refusal tells the empty bucket': ({ headers }) =>
      headers['X-Ratelimit-Limit'] === String(limit) && headers['X-Ratelimit-Remaining'] === '0',
  });
}

function runChecks(answer: Answer, checks: Checks): void {
  if (!check(answer, checks)) complain(answer, checks);
}

function auctionChecks(answer: Answer, { statuses, budgetMs, id, placements, testLevel }: ExpectedAuction): Checks {
  const common: Checks = {
    'status is as expected': ({ status, timings }) =>
      statuses.includes(status) || (testLevel === undefined && status === 204 && timings.duration >= budgetMs),
    'headers are there': hasHeaders,
  };
  if (answer.status === 204) return { ...common, 'no bid has no body': ({ body }) => !body };
  if (answer.status !== 200) return common;
  const response = parse(answer.body);
  const bids = bidsOf(response);
  return {
    ...common,
    'a bid response is in shape': ({ headers }) =>
      headers['X-Openrtb-Version'] === '2.6' && isJson(answer) && response.id === id && response.cur === 'USD',
    'bids reach the floor': () => bids.every((bid) => isAboveFloor(bid, placements)),
    'bids have the assets asked for': () => bids.every((bid) => servesRequest(bid, placements)),
    ...(testLevel === undefined
      ? { 'a bid response has a bid': () => bids.length > 0 }
      : { 'a test is reported and bills nobody': () => isReported(response, bids, testLevel) }),
  };
}

const errorChecks = ({ status, code, field }: ExpectedError): Checks => ({
  'status is as expected': (answer) => answer.status === status,
  'headers are there': hasHeaders,
  'an error body is in shape': (answer) => {
    const error = parse(answer.body).error as ErrorBody | undefined;
    return (
      isJson(answer) &&
      error?.code === code &&
      typeof error.message === 'string' &&
      typeof error.details?.reason === 'string' &&
      error.details.field === field &&
      error.request_id === answer.headers['X-Request-Id']
    );
  },
});

interface ErrorBody {
  code?: unknown;
  message?: unknown;
  details?: { field?: unknown; reason?: unknown };
  request_id?: unknown;
}

const isJson = ({ headers }: Answer): boolean => (headers['Content-Type'] ?? '').startsWith('application/json');

/** As k6 spells the names. */
function hasHeaders({ headers }: Answer): boolean {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => headers[`X-Ratelimit-${name}`] ?? '');
  const areWhole = [limit, remaining, reset].every((text) => /^\d+$/.test(text!));
  return areWhole && Number(remaining) <= Number(limit) && (headers['X-Request-Id'] ?? '') !== '';
}
