/** The HTTP server around the app: timeouts for clients that stall, a response to bytes that are not HTTP. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { RateLimiter, RateLimitResult } from '../limits/rate-limiter.ts';
import type { ErrorResponse } from '../openrtb/error-row.ts';
import { addressKey } from './client-address.ts';
import { withExpressPrototypes } from './express-prototypes.ts';
import { httpError } from './http-errors.ts';
import type { RequestObserver } from './request-observer.ts';
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
    if (!isRoutable(request.url)) request.url = '/';
    app(request, response);
  };
  server.on('request', serve);
  server.on('checkContinue', serve); // readBody sends 100 Continue
  server.on('checkExpectation', serve);
  Object.assign(server, { httpAllowHalfOpen: true }); // a client that has closed its side may still read the response
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => handleClientError(parts, error, socket as Socket));
  return server;
}

/** Express itself would respond to a target that it cannot parse, without our headers and error body. */
const isRoutable = (target = '/'): boolean => target.startsWith('/') || URL.canParse(target);

function handleClientError(parts: ServerParts, error: NodeJS.ErrnoException, socket: Socket): void {
  const response = socket.latestResponse;
  if (error.code === 'ECONNRESET' || !socket.writable || isHalfReceived(response)) socket.destroy();
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

/** The error follows a complete request that still waits for its response. */
const isPending = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && response.req.complete && !response.writableEnded;

/** The bytes never reach the app: they are charged to the address, and the response is written to the socket. */
async function rejectClient(
  { limiter, observer }: ServerParts,
  error: NodeJS.ErrnoException,
  socket: Socket,
): Promise<void> {
  const rateLimit = await limiter.decide({ ip: addressKey(socket.remoteAddress), publisher: undefined });
  const rejection = rateLimit.admitted ? toHttpError(error) : httpError(`limit.${rateLimit.scope}`);
  const requestId = randomUUID();
  observer.rejected(requestId, rejection, rateLimit);
  socket.end(rawResponse(requestId, rejection, rateLimit), () => socket.destroy());
}

function toHttpError({ code, reason }: NodeJS.ErrnoException & { reason?: string }): ErrorResponse {
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
