/** Carries out a call's fate on its response, where that is not silence. */
import type { ServerResponse } from 'node:http';
import type { Call, Reply } from './call.ts';
import type { Fate } from './fate.ts';

/** Cut off in the middle of a text. */
const garbage = '{"id":"sandbox","seatbid":[{"bid":[{"id":"1","adm":"';

export function deliver(response: ServerResponse, call: Call, fate: Exclude<Fate, 'silence'>): void {
  switch (fate) {
    case 'answer':
      return send(response, call.answer());
    case 'nothing':
      return send(response, call.nothing);
    case 'error':
      return sendProblem(response, 500, 'a fault as ordered');
    case 'reset':
      response.req.socket.resetAndDestroy();
      return;
    case 'garbage':
      return send(response, { status: 200, body: garbage });
    case 'misfit':
      return send(response, { status: 200, body: call.misfit() });
  }
}

export const sendProblem = (response: ServerResponse, status: number, error: string): void =>
  send(response, { status, body: JSON.stringify({ error }) });

export function send(response: ServerResponse, { status, body }: Reply): void {
  if (response.destroyed) return;
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
