/** Rejects chunked bodies on the admin server: node:http takes 3 to 4 µs per chunk, also for a chunk that nobody reads, and the primary has one core. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { OpenResponses } from './limit-admin-connections.ts';

/** The parser of node:http. */
interface Parser {
  /** Called when the headers of a request are complete. */
  onIncoming?: (request: IncomingMessage & { upgrade?: boolean }, shouldKeepAlive: boolean) => number;
}

/** What `onIncoming` returns for the end of HTTP on this connection: not even the rest of the current read is parsed. */
const stopParsing = 2;
/** A close with unread bytes resets the connection, and the client may lose the response. */
const lingerMs = 1_000;

/** Before node:http decides about the request: it responds to some, such as one without `Host`, without an event. */
export function rejectChunkedBodies(server: Server, responses: OpenResponses): void {
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const pass = parser?.onIncoming;
    if (!parser || !pass) return;
    parser.onIncoming = (request, shouldKeepAlive) => {
      if (request.headers['transfer-encoding'] === undefined) return pass(request, shouldKeepAlive);
      request.upgrade = false; // else node:http would pass the socket on, to nobody
      if (responses.has(socket)) socket.destroy();
      else rejectAndClose(socket, request);
      return stopParsing;
    };
  });
}

function rejectAndClose(socket: Socket, { method }: IncomingMessage): void {
  const body = '{"error":"the request must have a Content-Length instead of a Transfer-Encoding"}\n';
  const headers = [
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.pause(); // the rest is never read
  socket.end(`HTTP/1.1 411 Length Required\r\n${headers.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
