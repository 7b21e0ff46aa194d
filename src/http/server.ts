/** The HTTP server around the app: timeouts for those who stall, and an answer to those who do not speak HTTP. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { callError, type ErrorAnswer } from '../openrtb/error-table.ts';
import { errorBody } from './respond.ts';

export interface ServerTimeouts {
  headersMs: number;
  /** For all of a request; longer than the time for its body, which is answered and not just cut. */
  requestMs: number;
  keepAliveMs: number;
}

export function createHttpServer(app: RequestListener, { headersMs, requestMs, keepAliveMs }: ServerTimeouts): Server {
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 500,
      requireHostHeader: false,
    },
    app,
  );
  server.on('checkExpectation', app);
  server.on('clientError', answerClientError);
  return server;
}

/** Not a request, so no limit was asked and no app ran: the error body is written straight to the socket. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const inExchange = (socket as Duplex & { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || inExchange?.headersSent) {
    socket.destroy();
    return;
  }
  const answer = callError(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'http.bodyTimeout' : 'http.malformed');
  socket.end(rawAnswer(answer), () => socket.destroy());
}

function rawAnswer(answer: ErrorAnswer): string {
  const requestId = randomUUID();
  const body = errorBody(answer, requestId);
  return [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
