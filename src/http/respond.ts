/** The station "respond": every outcome to its status, headers and body, in one switch. */
import type { ServerResponse } from 'node:http';
import type { Outcome } from '../exchange/outcome.ts';
import type { ErrorAnswer } from '../openrtb/error-table.ts';

export function respond(response: ServerResponse, requestId: string, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'bid':
      response.setHeader('x-openrtb-version', '2.6');
      sendJson(response, 200, JSON.stringify(outcome.response));
      return;
    case 'no_bid':
      response.writeHead(204).end();
      return;
    case 'invalid':
      if (outcome.error.name === 'http.method') response.setHeader('Allow', 'POST');
      if (outcome.error.name === 'http.bodyTimeout') response.setHeader('Connection', 'close');
      sendError(response, requestId, outcome.error);
      return;
    case 'refused':
      sendError(response, requestId, outcome.error);
      return;
    case 'error':
      if (outcome.error.status === 503) response.setHeader('Retry-After', '1');
      sendError(response, requestId, outcome.error);
      return;
  }
}

function sendError(response: ServerResponse, requestId: string, error: ErrorAnswer): void {
  sendJson(response, error.status, errorBody(error, requestId));
}

export function errorBody({ code, message, field, reason }: ErrorAnswer, requestId: string): string {
  const details = field === undefined ? { reason } : { field, reason };
  return JSON.stringify({ error: { code, message, details, request_id: requestId } });
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
