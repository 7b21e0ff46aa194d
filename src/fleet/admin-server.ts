/** The admin HTTP server in the primary: health, readiness, metrics, SLO, console. No client may hold its memory or connections. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AdminResponse, type AdminStream, closeAfter, hasBody, openStream, send } from './admin-response.ts';
import { limitAdminConnections, type OpenResponses } from './limit-admin-connections.ts';
import { readBoundedBody } from './read-bounded-body.ts';
import { rejectChunkedBodies } from './reject-chunked-bodies.ts';

/** The handler of each path. */
export type AdminRoutes = Record<string, AdminHandler | AdminRoute>;
/** Concurrent requests share one call. */
export type AdminHandler = () => AdminResponse | Promise<AdminResponse>;

/** A route that depends on the request; its body is read if the route allows one. */
export interface AdminRoute {
  /** 0: the body is not read. */
  maxBodyBytes: number;
  /** The error for a longer body. */
  tooLarge?: string;
  handle: (
    request: IncomingMessage,
    body: Buffer,
  ) => AdminResponse | AdminStream | Promise<AdminResponse | AdminStream>;
}

/** The console, which decides about its own paths. */
export interface AdminConsole {
  /** Where its pages start. */
  readonly path: string;
  /** A response if the request is rejected before its body is read; undefined if the path does not belong to the console. */
  route(request: IncomingMessage): AdminRoute | AdminResponse | undefined;
}

export interface AdminTimeouts {
  headersMs: number;
  requestMs: number;
  /** A client that has not read its response after this time is cut off. */
  writeMs: number;
}

const defaultTimeouts: AdminTimeouts = { headersMs: 3_000, requestMs: 5_000, writeMs: 5_000 };
const allow = 'GET, HEAD';
const httpVersions = ['1.0', '1.1'];

export function createAdminServer(
  routes: AdminRoutes,
  timeouts: AdminTimeouts = defaultTimeouts,
  adminConsole?: AdminConsole,
): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: Math.min(500, timeouts.headersMs),
  });
  server.maxHeadersCount = 0; // 16 KiB are the limit: node:http would drop a Transfer-Encoding behind 1,000 others, and parse its chunks
  const shared = Object.fromEntries(
    Object.entries(routes).map(([path, route]) => [path, 'handle' in route ? route : shareConcurrentCalls(route)]),
  );
  const responses: OpenResponses = new WeakMap();
  limitAdminConnections(server, responses);
  rejectChunkedBodies(server, responses);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A pipelined request would let one client queue any number of responses.
    if (responses.has(socket)) return socket.destroy();
    responses.set(socket, response);
    response.once('finish', () => responses.delete(socket));
    return void respond(select(shared, adminConsole, request), request, response, timeouts.writeMs);
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
function shareConcurrentCalls(handler: AdminHandler): AdminRoute {
  const run = async () => handler();
  let call: Promise<AdminResponse> | undefined;
  return { maxBodyBytes: 0, handle: () => (call ??= run().finally(() => (call = undefined))) };
}

export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0]!;

function select(
  routes: Readonly<Record<string, AdminRoute>>,
  adminConsole: AdminConsole | undefined,
  request: IncomingMessage,
): AdminRoute | AdminResponse {
  const { method, httpVersion, headersDistinct } = request;
  if (!httpVersions.includes(httpVersion)) return badRequest('the HTTP version must be 1.0 or 1.1');
  if ((headersDistinct.host?.length ?? 0) > 1) return badRequest('there must be one Host header');
  const ofConsole = adminConsole?.route(request);
  if (ofConsole) return ofConsole;
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(allow);
  const path = pathOf(request);
  if (!Object.hasOwn(routes, path)) {
    return { status: 404, body: { paths: [...Object.keys(routes), ...(adminConsole ? [adminConsole.path] : [])] } };
  }
  return routes[path]!;
}

const badRequest = (error: string): AdminResponse => ({
  status: 400,
  body: { error },
  headers: { Connection: 'close' },
});

export const methodNotAllowed = (allowed: string): AdminResponse => ({
  status: 405,
  body: { error: `the method must be ${allowed.replace(', ', ' or ')}` },
  headers: { Allow: allowed, Connection: 'close' },
});

/** An exception in a handler becomes a 500; it must not end the primary. */
async function respond(
  route: AdminRoute | AdminResponse,
  request: IncomingMessage,
  response: ServerResponse,
  writeMs: number,
): Promise<void> {
  try {
    const result = 'handle' in route ? await run(route, request, response) : route;
    if (hasBody(request) && !request.complete) closeAfter(response);
    if ('open' in result) openStream(response, result);
    else send(response, result, writeMs);
  } catch (error) {
    if (response.headersSent) request.socket.destroy();
    else send(response, { status: 500, body: { error: (error as Error).message } }, writeMs);
  }
}

async function run(
  { maxBodyBytes, tooLarge = `the body must be at most ${maxBodyBytes} bytes`, handle }: AdminRoute,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<AdminResponse | AdminStream> {
  if (maxBodyBytes === 0) return handle(request, Buffer.alloc(0));
  const body = await readBoundedBody(request, response, maxBodyBytes);
  return body ? handle(request, body) : { status: 413, body: { error: tooLarge } };
}
