/** Rules that hold for every HTTP response of the exchange, and an ordinary request that must get its bid. */
import { isObject } from '../../src/json/guards.ts';
import { fullRequest } from '../support/full-request.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import type { KeptConnection, ReceivedResponse } from './http-client.ts';
import { check } from './target.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const statuses = [200, 204, 400, 404, 405, 408, 413, 417, 429, 431, 503];
const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const maxReasonLength = 700;

/** `body` is empty in a response to HEAD. */
export function checkResponse({ status, headers, body }: ReceivedResponse): void {
  check(statuses.includes(status), `status ${status}: ${body.slice(0, 80)}`);
  check(uuid.test(headers['x-request-id'] ?? ''), `${status} without a request id`);
  for (const name of limitHeaders) check(/^\d+$/.test(headers[name] ?? ''), `${status} without ${name}`);
  if (status === 204) return;
  check(headers['content-type'] === 'application/json; charset=utf-8', `${status} of type ${headers['content-type']}`);
  if (status === 200 || body === '') return;
  const { error } = JSON.parse(body) as { error?: { code?: unknown; details?: unknown; request_id?: unknown } };
  check(
    isObject(error) && typeof error.code === 'string' && isObject(error.details),
    `${status} without an error body`,
  );
  check(error.request_id === headers['x-request-id'], `${status} with another request id in its body`);
  const { reason } = error.details as { reason?: unknown };
  check(
    typeof reason === 'string' && reason.length <= maxReasonLength,
    `${status} with a reason that is missing or too long`,
  );
}

const head = 'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json';
const body = Buffer.from(JSON.stringify(fullRequest));

/** The exchange must still bid, and none of its parts may have thrown. */
export async function checkExchange(exchange: TestExchange, connection: KeptConnection): Promise<void> {
  const response = await connection.send(head, body);
  checkResponse(response);
  check(response.status === 200, `an ordinary request gets ${response.status}: ${response.body.slice(0, 200)}`);
  exchange.outcomes.length = 0;
  const [defect] = exchange.defects.splice(0);
  if (defect !== undefined) throw defect;
}
