/** The admin HTTP server in the primary: health, readiness, metrics, SLO. No client may hold its memory or connections. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The handler of each path. */
export type AdminRoutes = Record<string, AdminHandler>;
export type AdminHandler = () => AdminResponse | Promise<AdminResponse>;

export interface AdminResponse {
  status: number;
  /** An object is sent as JSON, a string in the Prometheus text format. */
  body: object | string;
  headers?: Record<string, string>;
}

export interface AdminTimeouts {
  headersMs: number;
  requestMs: number;
  /** A client that has not read its response after this time is cut off. */
  writeMs: number;
}

const defaultTimeouts: AdminTimeouts = { headersMs: 3_000, requestMs: 5_000, writeMs: 5_000 };
const maxConnections = 100;
const allow = 'GET, HEAD';
const httpVersions = ['1.0', '1.1'];

export function createAdminServer(routes: AdminRoutes, timeouts: AdminTimeouts = defaultTimeouts): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: Math.min(500, timeouts.headersMs),
  });
  server.maxConnections = maxConnections;
  const handlers = Object.fromEntries(
    Object.entries(routes).map(([path, handler]) => [path, shareConcurrentCalls(handler)]),
  );
  /** Sockets with a response in progress. */
  const busy = new WeakSet<Socket>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A pipelined request would let one client queue any number of responses.
    if (busy.has(socket)) return socket.destroy();
    busy.add(socket);
    response.once('finish', () => busy.delete(socket));
    if (hasBody(request)) closeAfter(response);
    return void respond(selectHandler(handlers, request), response, timeouts.writeMs);
  };
  server.on('request', serve);
  server.on('checkContinue', serve);
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    socket.end(`HTTP/1.1 405 Method Not Allowed\r\nAllow: ${allow}\r\nConnection: close\r\n\r\n`, () =>
      socket.destroy(),
    );
  });
  return server;
}

/** Any number of clients at a time costs one poll of the workers and one rendering. */
function shareConcurrentCalls(handler: AdminHandler): AdminHandler {
  const run = async () => handler();
  let call: Promise<AdminResponse> | undefined;
  return () => (call ??= run().finally(() => (call = undefined)));
}

function selectHandler(routes: AdminRoutes, request: IncomingMessage): AdminHandler {
  const { method, httpVersion, headersDistinct } = request;
  if (!httpVersions.includes(httpVersion)) return badRequest('the HTTP version must be 1.0 or 1.1');
  if ((headersDistinct.host?.length ?? 0) > 1) return badRequest('there must be one Host header');
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed;
  const path = (request.url ?? '/').split('?')[0]!;
  return Object.hasOwn(routes, path) ? routes[path]! : () => ({ status: 404, body: { paths: Object.keys(routes) } });
}

const badRequest = (error: string) => (): AdminResponse => ({
  status: 400,
  body: { error },
  headers: { Connection: 'close' },
});

const methodNotAllowed = (): AdminResponse => ({
  status: 405,
  body: { error: 'the method must be GET or HEAD' },
  headers: { Allow: allow, Connection: 'close' },
});

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** The rest of the request is not read: it may be endless. */
function closeAfter(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  response.once('finish', () => response.req.socket.destroy());
}

/** An exception in a handler becomes a 500; it must not end the primary. */
async function respond(handler: AdminHandler, response: ServerResponse, writeMs: number): Promise<void> {
  try {
    send(response, await handler(), writeMs);
  } catch (error) {
    send(response, { status: 500, body: { error: (error as Error).message } }, writeMs);
  }
}

function send(response: ServerResponse, { status, body, headers }: AdminResponse, writeMs: number): void {
  const isText = typeof body === 'string';
  const text = isText ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': isText ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(text);
  const timer = setTimeout(() => response.req.socket.destroy(), writeMs).unref();
  response.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}
