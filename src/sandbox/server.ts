/** The sandbox's one server: finds whom a call is for, has it understood, and lets its fate take its course. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { alpha } from './bidder/alpha.ts';
import { beta } from './bidder/beta.ts';
import { openBid } from './bidder/open-bid.ts';
import { BadInput, type Call } from './call.ts';
import { deliver, send, sendProblem } from './deliver.ts';
import { decideFate, delayOf } from './fate.ts';
import { readBody } from './read-body.ts';
import type { Settings } from './settings.ts';
import { openSearch } from './shop/open-search.ts';

/** Longer than callers hold a connection idle, so that none is closed just as a call is sent on it. */
const keepAliveMs = 65_000;

const bidders = new Map([
  ['/alpha/bid', alpha],
  ['/beta/bid', beta],
]);

/** `held` gathers those who are never answered. */
export function createSandboxServer(settings: Settings, held: Set<ServerResponse>): Server {
  const take = (response: ServerResponse, open: () => Call) => takeCall(response, open, settings, held);
  return createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const [path, query] = splitUrl(request.url!);
    const bidder = bidders.get(path);
    if (bidder) {
      if (!allow('POST', request, response)) return;
      readBody(request, (text) => {
        if (text === undefined) refuseLargeBody(response);
        else take(response, () => openBid(bidder, text));
      });
    } else if (path === '/shop/v1/ads/search') {
      if (allow('GET', request, response)) take(response, () => openSearch(query));
    } else if (path === '/healthz') {
      if (allow('GET', request, response)) send(response, { status: 200, body: '{"ok":true}' });
    } else {
      const places = [...bidders.keys()].map((place) => `POST ${place}`).join(', ');
      sendProblem(response, 404, `there are ${places}, GET /shop/v1/ads/search and GET /healthz`);
    }
  });
}

function takeCall(response: ServerResponse, open: () => Call, settings: Settings, held: Set<ServerResponse>): void {
  let call: Call;
  try {
    call = open();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return sendProblem(response, 400, error.message);
  }
  const fate = decideFate(call.key, settings);
  if (fate === 'silence') {
    held.add(response);
    response.once('close', () => held.delete(response));
    return;
  }
  const delayMs = delayOf(call.key, settings);
  if (delayMs === 0) deliver(response, call, fate);
  else setTimeout(deliver, delayMs, response, call, fate);
}

function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function allow(method: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === method) return true;
  response.setHeader('allow', method);
  sendProblem(response, 405, `use ${method}`);
  return false;
}

function refuseLargeBody(response: ServerResponse): void {
  response.setHeader('connection', 'close');
  sendProblem(response, 413, 'the body is too large');
}
