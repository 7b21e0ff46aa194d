/** The HTTP server around the app: timeouts for those who stall, and an answer to those who do not speak HTTP. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { httpError, type HttpErrorName } from './http-errors.ts';
import type { RateLimiter, RateLimitResult } from '../limits/rate-limiter.ts';
import { withExpressPrototypes } from './express-prototypes.ts';
import { addressKey } from './client-address.ts';
import { commonHeaders } from './headers.ts';
import { errorBody } from './respond.ts';
import type { RequestObserver } from './request-observer.ts';

declare module 'node:net' {
  interface Socket {
    /** Whatever becomes of it. */
    latestResponse?: ServerResponse;
  }
}

export interface ServerTimeouts {
  headersMs: number;
  /** For all of a request; longer than the time for its body, which is answered and not just cut. */
  requestMs: number;
  keepAliveMs: number;
}

export interface ServerParts {
  app: Express;
  limiter: RateLimiter;
  timeouts: ServerTimeouts;
  observer: Pick<RequestObserver, 'rejected'>;
}

export function createHttpServer({ app, limiter, timeouts, observer }: ServerParts): Server {
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
  server.on('checkContinue', serve); // whoever reads the body says when to go on
  server.on('checkExpectation', serve);
  Object.assign(server, { httpAllowHalfOpen: true }); // a client that has said all it has to say still listens
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = (socket as Socket).latestResponse;
    if (error.code === 'ECONNRESET' || !socket.writable || isHalfAnswered(response)) socket.destroy();
    else if (isUnderWay(response)) response.once('finish', () => socket.destroy());
    else answerClientError(limiter, observer, error, socket as Socket);
  });
  return server;
}

/** Express answers targets that it cannot parse by itself, past everything we say of an answer. */
const isRoutable = (target = '/'): boolean => target.startsWith('/') || URL.canParse(target);

/** The trouble is in the rest of a request that has its answer: a second answer would be taken for the next request's. */
const isHalfAnswered = (response: ServerResponse | undefined): boolean =>
  response !== undefined && response.headersSent && !response.req.complete;

/** The trouble comes after a request that was whole and is still to be answered. */
const isUnderWay = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && response.req.complete && !response.writableEnded;

/** Not a request that the app could see: charged to its address, and answered straight on the socket. */
function answerClientError(
  limiter: RateLimiter,
  observer: ServerParts['observer'],
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  void limiter.decide({ ip: addressKey(socket.remoteAddress), publisher: undefined }).then((rateLimit) => {
    const name = rateLimit.admitted ? nameOf(error) : (`limit.${rateLimit.scope}` as const);
    const requestId = randomUUID();
    observer.rejected(requestId, name, rateLimit);
    socket.end(rawAnswer(requestId, name, rateLimit), () => socket.destroy());
  });
}

function nameOf({ code }: NodeJS.ErrnoException): HttpErrorName {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'http.headersTimeout';
  return code === 'HPE_HEADER_OVERFLOW' ? 'http.headersTooLarge' : 'http.malformed';
}

function rawAnswer(requestId: string, name: HttpErrorName, rateLimit: RateLimitResult): string {
  const answer = httpError(name);
  const body = errorBody(answer, requestId);
  const headers = commonHeaders(requestId, rateLimit);
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  headers.push('Connection', 'close');
  const lines = headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`;
}
