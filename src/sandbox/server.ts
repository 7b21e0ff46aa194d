/** The HTTP server of the sandbox: routes each call to a partner and applies the configured behaviour. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { chooseBehaviour, chooseDelayMs } from './behaviour.ts';
import { alpha } from './bidder/alpha.ts';
import { beta } from './bidder/beta.ts';
import { delta } from './bidder/delta.ts';
import { gamma } from './bidder/gamma.ts';
import { prepareBidResponse } from './bidder/prepare-bid-response.ts';
import { BadRequest, respond, type ResponseOptions, send, sendError } from './respond.ts';
import type { Settings } from './settings.ts';
import { prepareSearchResponse } from './shop/search.ts';

/** Longer than clients keep an idle connection, so that none is closed just as a call is sent on it. */
const keepAliveMs = 65_000;
const maxBodyBytes = 1024 * 1024;

const idleCheckIntervalMs = 20;
/** Extra time at shutdown for a delayed response to reach its client. */
const shutdownGraceMs = 250;

const bidders = new Map([
  ['/alpha/bid', alpha],
  ['/beta/bid', beta],
  ['/gamma/bid', gamma],
  ['/delta/bid', delta],
]);
const searchPath = '/shop/v1/ads/search';
const routes = [...[...bidders.keys()].map((path) => `POST ${path}`), `GET ${searchPath}`, 'GET /healthz'];

export class SandboxServer {
  readonly http: Server;
  readonly #settings: Settings;
  /** Calls with the fault `no-response`. */
  readonly #withoutResponse = new Set<ServerResponse>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.http = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => this.#route(request, response));
  }

  /** Sends the pending responses, then closes all connections; calls `onStopped` when every connection is closed. */
  stop(onStopped: () => void): void {
    const { latencyMs, latencySpreadMs } = this.#settings;
    this.http.close(onStopped);
    for (const response of this.#withoutResponse) response.req.socket.destroy();
    setInterval(() => this.http.closeIdleConnections(), idleCheckIntervalMs).unref();
    setTimeout(() => this.http.closeAllConnections(), latencyMs + latencySpreadMs + shutdownGraceMs).unref();
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    const [path, query] = splitUrl(request.url!);
    const bidder = bidders.get(path);
    if (bidder) {
      if (!allowMethod('POST', request, response)) return;
      collectBody(request, (body) => {
        if (body === undefined) rejectLargeBody(response);
        else this.#handle(response, () => prepareBidResponse(bidder, body));
      });
    } else if (path === searchPath) {
      if (allowMethod('GET', request, response)) this.#handle(response, () => prepareSearchResponse(query));
    } else if (path === '/healthz') {
      if (allowMethod('GET', request, response)) send(response, { status: 200, body: '{"ok":true}' });
    } else {
      sendError(response, 404, `not found; available: ${routes.join(', ')}`);
    }
  }

  #handle(response: ServerResponse, prepare: () => ResponseOptions): void {
    let options: ResponseOptions;
    try {
      options = prepare();
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      return sendError(response, 400, error.message);
    }
    const behaviour = chooseBehaviour(options.key, this.#settings);
    if (behaviour === 'no-response') {
      this.#withoutResponse.add(response);
      response.once('close', () => this.#withoutResponse.delete(response));
      return;
    }
    const delayMs = chooseDelayMs(options.key, this.#settings) + (options.delayMs ?? 0);
    if (delayMs === 0) respond(response, options, behaviour);
    else setTimeout(respond, delayMs, response, options, behaviour);
  }
}

function splitUrl(url: string): [path: string, query: string] {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? [url, ''] : [url.slice(0, queryStart), url.slice(queryStart + 1)];
}

function allowMethod(method: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === method) return true;
  response.setHeader('allow', method);
  sendError(response, 405, `use ${method}`);
  return false;
}

/** Passes undefined for a body that is too large. `onBody` is not called if the client disconnects. */
function collectBody(request: IncomingMessage, onBody: (body: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) {
      chunks.push(chunk);
      return;
    }
    request.off('data', onData).off('end', onEnd).resume();
    onBody(undefined);
  };
  const onEnd = () => onBody((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)).toString());
  request
    .on('data', onData)
    .on('end', onEnd)
    .on('error', () => {});
}

function rejectLargeBody(response: ServerResponse): void {
  response.setHeader('connection', 'close');
  sendError(response, 413, `the body exceeds ${maxBodyBytes} bytes`);
}
