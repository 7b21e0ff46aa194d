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
import type { PublisherDirectory } from '../publishers/publisher-directory.ts';
import type { Admission } from './admission.ts';
import type { BodyBuffers } from './body-buffers.ts';
import { checkReads } from './check-reads.ts';
import { isTrustedBy } from './client-address.ts';
import { clientClosed } from './client-closed.ts';
import { limitConnections } from './connection-limit.ts';
import { withExpressPrototypes } from './express-prototypes.ts';
import { holdRequests, type StartInTurn } from './hold-requests.ts';
import { httpError } from './http-errors.ts';
import { initSocket } from './init-socket.ts';
import { lingeringClose } from './lingering-close.ts';
import { Pipeline } from './pipeline.ts';
import { keysOf } from './publisher-access.ts';
import type { BodyError } from './read-body.ts';
import type { RequestObserver } from './request-observer.ts';
import { setRoutableTarget } from './request-target.ts';
import { commonHeaders, errorBody } from './respond.ts';
import { ShedResponse } from './shed-response.ts';

declare module 'node:net' {
  interface Socket {
    /** The response to the latest request on this socket, in any state, until both are complete. */
    latestResponse?: ServerResponse | undefined;
    /** Set while requests wait for the response to an earlier one. */
    pipeline?: Pipeline | undefined;
    /** Set at the first parser error. Later parser errors on this socket result from it and get no response. */
    isRejected?: boolean;
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
  /** Absent without a publishers file. */
  publishers?: PublisherDirectory | undefined;
  timeouts: ServerTimeouts;
  /** The open connections of one address that is not a trusted proxy. */
  maxConnectionsPerAddress: number;
  observer: Pick<RequestObserver, 'rejected' | 'connectionRefused' | 'ended'>;
  admission: Admission;
  /** Shared by all request bodies of the worker. */
  buffers: BodyBuffers;
  onOverload: (isOverloaded: boolean) => void;
  isDraining: () => boolean;
  /** The tokens of one address, for responses that are written without reading its bucket. */
  addressLimit: number;
  /** An exception outside a request. */
  onDefect: (defect: unknown) => void;
}

/** `reason` is a fixed text of the parser. */
type ClientError = NodeJS.ErrnoException & { reason?: string };

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
  server.maxHeadersCount = 0; // 16 KiB are the limit: node:http would serve a request without what it has cut off
  server.on('connection', initSocket);
  const isTrusted = isTrustedBy(app);
  limitConnections(server, {
    perAddress: parts.maxConnectionsPerAddress,
    isProxy: (address) => isTrusted(address, 0),
    onRefused: () => parts.observer.connectionRefused('connections'),
  });
  const startInTurn = holdRequests(server, {
    ...parts,
    ...parts.admission,
    overloadResponse: new ShedResponse('server.overloaded', parts.addressLimit),
    keepAliveMs: timeouts.keepAliveMs,
  });
  checkReads(server);
  const pipelineParts = { ...parts, startInTurn };
  const serve: RequestListener = (request, response) => {
    const { socket } = request;
    const previous = socket.latestResponse;
    socket.latestResponse = response;
    setRoutableTarget(request);
    response.once('close', forgetResponse);
    // A pipeline that is empty is there until it has looked for the next request, and would start what is added behind this one.
    if (!socket.pipeline && (!previous || previous.closed)) app(request, response);
    else afterPrevious(pipelineParts, socket, previous!, response); // an existing pipeline already has its predecessor
  };
  server.on('request', serve);
  server.on('checkContinue', serve); // readBody sends 100 Continue
  server.on('checkExpectation', serve);
  server.on('connect', (request, socket) => serveConnect(parts, request, socket as Socket));
  server.on('clientError', (error: ClientError, socket) => handleClientError(parts, error, socket as Socket));
  return server;
}

/** A connection that waits for its next request keeps nothing of this one: each garbage collection would copy it. */
function forgetResponse(this: ServerResponse): void {
  const { socket, complete } = this.req;
  if (complete && socket.latestResponse === this) socket.latestResponse = undefined;
}

/** Waits until the connection's earlier requests have got their responses. */
function afterPrevious(
  { app, observer, buffers, startInTurn }: ServerParts & { startInTurn: StartInTurn },
  socket: Socket,
  previous: ServerResponse,
  response: ServerResponse,
): void {
  const cut = () => {
    if (socket.destroyed) return;
    observer.connectionRefused('pipeline');
    socket.destroy();
  };
  const onEmpty = () => (socket.pipeline = undefined);
  const pipeline = (socket.pipeline ??= new Pipeline(socket, previous, {
    buffers,
    onExcess: cut,
    onEmpty,
    startInTurn,
  }));
  pipeline.add(response, () => {
    app(response.req, response);
    response.emit('start');
  });
}

/** A method that is not allowed, like others, but node:http passes the socket without a response. */
function serveConnect({ app, onDefect }: ServerParts, request: IncomingMessage, socket: Socket): void {
  socket.restoreParser?.(); // node:http has already taken the parser from the socket, and reuses it at once
  socket.on('error', () => socket.destroy());
  afterLatestResponse(socket, () => {
    try {
      const response = Object.setPrototypeOf(new ServerResponse(request), app.response) as ServerResponse;
      if (!socket.destroyed) response.assignSocket(socket); // else the client has left: its request is charged only
      response.shouldKeepAlive = false;
      response.on('finish', () => lingeringClose(socket));
      Object.assign(request, { url: '/openrtb2', originalUrl: request.url });
      app(request, response);
    } catch (defect) {
      onDefect(defect);
      socket.destroy();
    }
  });
}

/**
 * Responses are sent in the order of their requests, so that the latest one is closed last. One whose turn has not come when the
 * connection closes is never closed.
 */
function afterLatestResponse(socket: Socket, run: () => void): void {
  const { latestResponse } = socket;
  if (!latestResponse || latestResponse.closed || socket.destroyed) return run();
  let hasRun = false; // a connection that closes closes its response first, and calls both listeners
  const runOnce = () => {
    if (hasRun) return;
    hasRun = true;
    run();
  };
  latestResponse.once('close', runOnce);
  socket.once('close', runOnce);
}

function handleClientError(parts: ServerParts, error: ClientError, socket: Socket): void {
  if (socket.isRejected) return;
  socket.isRejected = true;
  const response = socket.latestResponse;
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused(socket, error)) socket.destroy();
  else if (response && !response.req.complete) rejectBody(error, socket, response);
  else afterLatestResponse(socket, () => void rejectClient(parts, error, socket));
}

/** A connection that was opened in advance, and not needed in time, is no request. */
const isUnused = ({ bytesRead }: Socket, { code }: ClientError): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;

/** The error is in the body of a request, which gets the error as its response, unless it has one already. */
function rejectBody(error: ClientError, socket: Socket, response: ServerResponse): void {
  const { context } = response.req as Request;
  const isGone = error.code === 'HPE_INVALID_EOF_STATE';
  if (isGone || response.headersSent) return void socket.destroy();
  if (socket.pipeline?.isWaiting(response))
    return void response.once('start', () => rejectBody(error, socket, response));
  response.shouldKeepAlive = false;
  context.bodyReceiver?.reject(toBodyError(error)); // other paths do not read the body, and respond anyway
}

/** The bytes never reach the app: they are charged to the address, and the response is written to the socket. */
async function rejectClient(
  { limiter, observer, publishers, onDefect }: ServerParts,
  error: ClientError,
  socket: Socket,
): Promise<void> {
  const startedAtMs = performance.now();
  try {
    const { remoteAddress } = socket;
    const rateLimit = await limiter.decide(keysOf(remoteAddress, publishers?.client(remoteAddress ?? '')));
    const rejection = rateLimit.admitted ? toHttpError(error) : httpError(`limit.${rateLimit.scope}`);
    const requestId = randomUUID();
    observer.rejected(requestId, rejection, rateLimit, performance.now() - startedAtMs);
    if (rejection === clientClosed.error) socket.destroy();
    else if (socket.writable) {
      socket.write(rawResponse(requestId, rejection, rateLimit));
      lingeringClose(socket);
    }
  } catch (defect) {
    onDefect(defect);
    socket.destroy();
  }
}

function toBodyError({ code, reason }: ClientError): BodyError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { error: 'http.bodyTimeout' };
  return { error: 'http.malformed', ...(reason !== undefined && { detail: reason.toLowerCase() }) };
}

function toHttpError({ code, reason }: ClientError): ErrorResponse {
  if (code === 'HPE_INVALID_EOF_STATE') return clientClosed.error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpError('http.headersTimeout');
  if (code === 'HPE_HEADER_OVERFLOW') return httpError('http.headersTooLarge');
  return httpError('http.malformed', reason?.toLowerCase()); // a fixed text of the parser, such as "invalid header token"
}

function rawResponse(requestId: string, error: ErrorResponse, rateLimit: RateLimitResult): string {
  const body = errorBody(error, requestId);
  const headers = commonHeaders(requestId, rateLimit);
  headers.push('Date', new Date().toUTCString());
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  headers.push('Connection', 'close');
  const lines = headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`;
}
