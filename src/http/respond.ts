/** The station "respond": every outcome to its status, headers and body, in one switch. */
import type { ServerResponse } from 'node:http';
import type { Outcome } from '../exchange/outcome.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import { commonHeaders } from './headers.ts';
import type { RequestContext } from './request-context.ts';

export function respond(response: ServerResponse, { requestId, rateLimit }: RequestContext, outcome: Outcome): void {
  const headers = commonHeaders(requestId, rateLimit);
  switch (outcome.kind) {
    case 'bid':
      headers.push('x-openrtb-version', '2.6');
      sendJson(response, 200, headers, JSON.stringify(outcome.response));
      return;
    case 'no_bid':
      response.writeHead(204, headers).end();
      return;
    case 'invalid':
      if (outcome.error.name === 'http.method') headers.push('Allow', 'POST');
      if (outcome.error.name === 'http.bodyTimeout') headers.push('Connection', 'close');
      sendJson(response, outcome.error.status, headers, errorBody(outcome.error, requestId));
      return;
    case 'refused':
      sendJson(response, outcome.error.status, headers, errorBody(outcome.error, requestId));
      return;
    case 'error':
      if (outcome.error.status === 503) headers.push('Retry-After', '1');
      sendJson(response, outcome.error.status, headers, errorBody(outcome.error, requestId));
      return;
  }
}

export function errorBody({ code, message, field, reason }: ErrorResponse, requestId: string): string {
  const details = field === undefined ? { reason } : { field, reason };
  return JSON.stringify({ error: { code, message, details, request_id: requestId } });
}

function sendJson(response: ServerResponse, status: number, headers: string[], body: string): void {
  const bytes = Buffer.byteLength(body);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes));
  response.writeHead(status, headers);
  response.end(body, bytes === body.length ? 'latin1' : 'utf8'); // ASCII alone is the same in both, and faster in the former
}
