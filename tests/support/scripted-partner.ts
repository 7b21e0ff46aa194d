/** A demand partner on a real socket that follows a script: it responds, hangs, misbehaves or fails. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PartnerCall {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Handles a call; `request` is its parsed body if it has one. */
export type Script = (
  response: ServerResponse,
  request: { id: string; imp: { id: string }[] },
  call: PartnerCall,
) => void;

export interface ScriptedPartner {
  url: string;
  calls: PartnerCall[];
  play(script: Script): void;
  close(): void;
}

export async function startPartner(first: Script): Promise<ScriptedPartner> {
  let script = first;
  const calls: PartnerCall[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const call = { method: request.method!, url: request.url!, headers: request.headers, body };
      calls.push(call);
      script(response, body === '' ? { id: '', imp: [] } : (JSON.parse(body) as Parameters<Script>[1]), call);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bid`,
    calls,
    play: (next) => (script = next),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const adm = JSON.stringify({ assets: [{ id: 1, title: { text: 'An offer' } }], link: { url: 'https://adv.example/' } });

/** One bid with this price per impression of the request. */
export const bidResponse = (request: { id: string; imp: { id: string }[] }, price: number, more: object = {}) => ({
  id: request.id,
  cur: 'USD',
  seatbid: [
    { bid: request.imp.map(({ id }) => ({ id: `b-${id}`, impid: id, price, adm, crid: 'creative-1', ...more })) },
  ],
});

export const send = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

/** Bids immediately. */
export const bids =
  (price: number, more?: object): Script =>
  (response, request) =>
    send(response, JSON.stringify(bidResponse(request, price, more)));

export const hangs: Script = () => {};
