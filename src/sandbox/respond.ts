/** The possible responses to a call; the behaviour of the call selects which one is sent. */
import type { ServerResponse } from 'node:http';
import type { Behaviour } from './behaviour.ts';

export interface PartnerResponse {
  status: number;
  /** JSON text; absent with 204. */
  body?: string;
}

/** What a partner can respond to one parsed call. */
export interface ResponseOptions {
  /** The hash input that determines the behaviour. */
  key: string;
  /** Added to the configured latency. */
  delayMs?: number;
  respond(): PartnerResponse;
  noBid: PartnerResponse;
  /** Valid JSON that is not a valid response to this call. */
  wrongBody(): string;
}

/** A call that cannot be parsed; the message is sent to the caller. */
export class BadRequest extends Error {}

const truncatedJson = '{"id":"sandbox","seatbid":[{"bid":[{"id":"1","adm":"';

export function respond(
  response: ServerResponse,
  options: ResponseOptions,
  behaviour: Exclude<Behaviour, 'no-response'>,
): void {
  switch (behaviour) {
    case 'respond':
      return send(response, options.respond());
    case 'no-bid':
      return send(response, options.noBid);
    case 'error':
      return sendError(response, 500, 'simulated fault');
    case 'reset':
      response.req.socket.resetAndDestroy();
      return;
    case 'truncated-json':
      return send(response, { status: 200, body: truncatedJson });
    case 'wrong-response':
      return send(response, { status: 200, body: options.wrongBody() });
  }
}

export const sendError = (response: ServerResponse, status: number, error: string): void =>
  send(response, { status, body: JSON.stringify({ error }) });

export function send(response: ServerResponse, { status, body }: PartnerResponse): void {
  if (response.destroyed) return;
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
