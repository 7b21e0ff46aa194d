/** The HTTP server around the app: timeouts for clients that stall, a response to CONNECT and to bytes that are not HTTP. */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request } from 'express';
import type { RateLimiter, RateLimitResult } from '../limits/rate-limiter.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import { addressKey } from './client-address.ts';
import { clientClosed } from './client-closed.ts';
import { withExpressPrototypes } from './express-prototypes.ts';
import { httpError } from './http-errors.ts';
import { lingeringClose } from './lingering-close.ts';
import type { RequestObserver } from './request-observer.ts';
import { setRoutableTarget } from './request-target.ts';
import { commonHeaders, errorBody } from './respond.ts';

declare module 'node:net' {
  interface Socket {
    /** The response to the latest request on this socket, in any state. */
    latestResponse?: ServerResponse;
  }
}

export interface ServerTimeouts {
  headersMs: number;
  /** For a whole request. Longer than the timeout of its body, which gets a response. */
  requestMs: number;
  keepAliveMs: number;
}

export interface ServerParts {
  app: Express;
  limiter: Pick<RateLimiter, 'decide'>;
  timeouts: ServerTimeouts;
  observer: Pick<RequestObserver, 'rejected'>;
  /** An exception outside a request. */
  onDefect: (defect: unknown) => void;
}

export function createHttpServer(parts: ServerParts): Server {
  const { app, timeouts } = parts;
  const server = createServer({
    ...withExpressPrototypes(app),
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: 500,
    requireHostHeader: false,
  });
  const serve: RequestListener = (request, response) => {
    request.socket.latestResponse = response;
    setRoutableTarget(request);
    app(request, response);
  };
  server.on('request', serve);
  server.on('checkContinue', serve); // readBody sends 100 Continue
  server.on('checkExpectation', serve);
  server.on('connect', (request, socket) => serveConnect(app, request, socket as Socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => handleClientError(parts, error, socket as Socket));
  return server;
}

/** A method that is not allowed, like others, but node:http passes the socket without a response. */
function serveConnect(app: Express, request: IncomingMessage, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  const serve = () => {
    const response = Object.setPrototypeOf(new ServerResponse(request), app.response) as ServerResponse;
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.on('finish', () => lingeringClose(socket));
    Object.assign(request, { url: '/openrtb2', originalUrl: request.url });
    app(request, response);
  };
  if (isPending(socket.latestResponse)) socket.latestResponse.once('close', serve);
  else serve();
}

function handleClientError(parts: ServerParts, error: NodeJS.ErrnoException, socket: Socket): void {
  const response = socket.latestResponse;
  if (error.code === 'ECONNRESET' || !socket.writable || isHalfReceived(response)) socket.destroy();
  else if (error.code === 'HPE_INVALID_EOF_STATE' && isReceiving(response))
    socket.destroy(); // its request is charged
  else if (isPending(response)) response.once('finish', () => socket.destroy());
  else {
    rejectClient(parts, error, socket).catch((defect: unknown) => {
      parts.onDefect(defect);
      socket.destroy();
    });
  }
}

/** The error is in the rest of a request that already has its response: the client would take a second one for the next request's. */
const isHalfReceived = (response: ServerResponse | undefined): boolean =>
  response !== undefined && response.headersSent && !response.req.complete;

/** The error is in the body of a request that has no response yet. */
const isReceiving = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && !response.req.complete;

/** The error follows a complete request that still waits for its response. */
const isPending = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && response.req.complete && !response.writableEnded;

/** The bytes never reach the app: they are charged to the address, and the response is written to the socket. */
async function rejectClient(
  { limiter, observer }: ServerParts,
  error: NodeJS.ErrnoException,
  socket: Socket,
): Promise<void> {
  const rateLimit = await limiter.decide({ ip: takeOver(socket), publisher: undefined });
  const rejection = rateLimit.admitted ? toHttpError(error) : httpError(`limit.${rateLimit.scope}`);
  const requestId = randomUUID();
  observer.rejected(requestId, rejection, rateLimit);
  if (rejection === clientClosed.error) socket.destroy();
  else if (socket.writable) {
    socket.write(rawResponse(requestId, rejection, rateLimit));
    lingeringClose(socket);
  }
}

/** Returns the address to charge. A request whose body is broken is charged here, and not again when it is aborted. */
function takeOver({ latestResponse, remoteAddress }: Socket): string {
  const context = isReceiving(latestResponse) ? (latestResponse.req as Request).context : undefined;
  if (!context) return addressKey(remoteAddress);
  context.isObserved = true;
  return context.rateLimitKeys.ip;
}

function toHttpError({ code, reason }: NodeJS.ErrnoException & { reason?: string }): ErrorResponse {
  if (code === 'HPE_INVALID_EOF_STATE') return clientClosed.error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpError('http.headersTimeout');
  if (code === 'HPE_HEADER_OVERFLOW') return httpError('http.headersTooLarge');
  return httpError('http.malformed', reason?.toLowerCase()); // a fixed text of the parser, such as "invalid header token"
}

function rawResponse(requestId: string, error: ErrorResponse, rateLimit: RateLimitResult): string {
  const body = errorBody(error, requestId);
  const headers = commonHeaders(requestId, rateLimit);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  headers.push('Connection', 'close');
  const lines = headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`;
}
