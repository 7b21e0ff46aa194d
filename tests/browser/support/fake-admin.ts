/** An admin server with canned responses: it serves the built console under the content security policy of the real one. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Auctions, Errors, Example, History, LiveSample, TryResult } from '../../../src/contract/console-api.ts';

export interface FakeData {
  /** Undefined: no login. */
  token?: string;
  examples: Example[];
  tryResult: TryResult;
  history: History;
  /** The sample of the next second of the stream; undefined: the stream is silent. */
  nextSample?: () => LiveSample;
  auctions: Auctions;
  errors: Errors;
  /** Undefined: 404. */
  openApi?: unknown;
}

const dist = fileURLToPath(new URL('../../../dist/console/', import.meta.url));
const policy =
  "default-src 'self'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const sampleIntervalMs = 100;
const cookie = 'gavel_session=1';

export class FakeAdmin {
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  data: FakeData;
  /** Paths that respond with this status, such as `try`. */
  readonly failing = new Map<string, number>();
  /** Why they do; undefined: no reason in the body. */
  failureReason: string | undefined;
  endpoint = 'http://127.0.0.1:8080/openrtb2';
  /** The bodies that the playground sent. */
  readonly tried: string[] = [];
  /** The API keys that it sent with them. */
  readonly apiKeys: (string | undefined)[] = [];

  constructor(data: FakeData) {
    if (!existsSync(`${dist}app.js`)) throw new Error('dist/console is missing; make console builds it');
    this.data = data;
    this.#server = createServer((request, response) => void this.#respond(request, response));
    setInterval(() => this.#sendSamples(), sampleIntervalMs).unref();
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/console/`;
  }

  get streams(): number {
    return this.#streams.size;
  }

  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
  }

  async close(): Promise<void> {
    this.dropStreams();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.url);
    response.setHeader('Content-Security-Policy', policy);
    if (pathname === '/openapi.json') return sendJson(response, this.data.openApi);
    if (!pathname.startsWith('/console/')) return end(response, 404);
    const name = pathname.slice('/console/'.length);
    if (!name.startsWith('api/')) return sendFile(request, response, name || 'index.html');
    const isLoggedIn = this.data.token === undefined || (request.headers.cookie ?? '').includes(cookie);
    return this.#api(name.slice('api/'.length), { request, response, searchParams, isLoggedIn });
  }

  async #api(name: string, call: ApiCall): Promise<void> {
    const { request, response, searchParams, isLoggedIn } = call;
    const { token, examples, tryResult, history, auctions, errors } = this.data;
    if (name === 'session')
      return sendJson(response, {
        loginRequired: !isLoggedIn,
        endpoint: this.endpoint,
        version: '0.1.0',
      });
    if (name === 'login') {
      const sent = JSON.parse(await text(request)) as { token: string };
      if (sent.token !== token) return end(response, 401);
      response.setHeader('Set-Cookie', `${cookie}; HttpOnly; SameSite=Strict; Path=/console/`);
      return end(response, 204);
    }
    if (!isLoggedIn) return end(response, 401);
    const failure = this.failing.get(name);
    if (failure !== undefined) {
      response.statusCode = failure;
      return sendJson(response, { error: this.failureReason });
    }
    if (name === 'live') return this.#stream(response);
    if (name === 'try') {
      this.tried.push(await text(request));
      this.apiKeys.push(request.headers['x-api-key'] as string | undefined);
      return sendJson(response, tryResult);
    }
    const id = searchParams.get('id');
    const found = auctions.auctions.filter((one) => id === null || one.requestId === id || one.bidRequestId === id);
    return sendJson(response, { examples, history, errors, auctions: { ...auctions, auctions: found } }[name]);
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(': open\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #sendSamples(): void {
    if (!this.data.nextSample || this.#streams.size === 0) return;
    const event = `data: ${JSON.stringify(this.data.nextSample())}\n\n`;
    for (const stream of this.#streams) stream.write(event);
  }
}

interface ApiCall {
  request: IncomingMessage;
  response: ServerResponse;
  searchParams: URLSearchParams;
  isLoggedIn: boolean;
}

function end(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

function sendJson(response: ServerResponse, body: unknown): void {
  if (body === undefined) return end(response, 404);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
}

function sendFile(request: IncomingMessage, response: ServerResponse, name: string): void {
  const type = contentTypes[extname(name)];
  if (type === undefined || !existsSync(dist + name)) return end(response, 404);
  response.setHeader('Content-Type', type);
  if (String(request.headers['accept-encoding']).includes('gzip')) {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync(readFileSync(dist + name)));
  } else response.end(readFileSync(dist + name));
}
